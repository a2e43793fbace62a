#include "warden/rules/confidence.h"

namespace warden::rules {

std::string_view ConfidenceName(Confidence confidence) {
  switch (confidence) {
    case Confidence::kHigh: return "high";
    case Confidence::kMedium: return "medium";
    case Confidence::kLow: return "low";
  }
  return "medium";
}

std::optional<Confidence> ParseConfidence(std::string_view name) {
  for (const Confidence one : {Confidence::kHigh, Confidence::kMedium, Confidence::kLow}) {
    if (name == ConfidenceName(one)) return one;
  }
  return std::nullopt;
}

}  // namespace warden::rules
