#ifndef WARDEN_RULES_CONFIDENCE_H_
#define WARDEN_RULES_CONFIDENCE_H_

// How sure it is that what a finding names is the cause. Findings carry it where they differ from
// others of their rule; incidents always do (watch/summary/incidents.h).

#include <cstdint>
#include <optional>
#include <string_view>

namespace warden::rules {

// Surest first. The names are stable: "high", "medium", "low".
enum class Confidence : uint8_t {
  kHigh,    // What was observed proves the cause.
  kMedium,  // The damage was measured, and the cause is the one that fits best.
  kLow,     // A symptom: its cause is not known.
};

// "high, medium, low": what ParseConfidence accepts, for messages.
inline constexpr std::string_view kConfidenceNames = "high, medium, low";

std::string_view ConfidenceName(Confidence confidence);
// The confidence of exactly this name; nothing if there is none.
std::optional<Confidence> ParseConfidence(std::string_view name);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CONFIDENCE_H_
