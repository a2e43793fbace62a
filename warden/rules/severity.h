#ifndef WARDEN_RULES_SEVERITY_H_
#define WARDEN_RULES_SEVERITY_H_

// How bad a finding is. A rule declares it (RuleSpec::severity), findings and incidents carry it;
// exit codes, actions and the dashboard decide by it.

#include <cstdint>
#include <optional>
#include <string_view>

namespace warden::rules {

// Worst first. The names are stable: "problem", "warning", "note".
enum class Severity : uint8_t {
  kProblem,  // Training does not do what it should: stop and fix it.
  kWarning,  // It works, but slower or worse than it could.
  kNote,     // Worth knowing; nothing has to be done.
};

// "problem, warning, note": what ParseSeverity accepts, for messages.
inline constexpr std::string_view kSeverityNames = "problem, warning, note";

std::string_view SeverityName(Severity severity);
// The severity of this name, in any case; nothing if there is none.
std::optional<Severity> ParseSeverity(std::string_view name);

// Whether `severity` is as bad as `limit`, or worse.
constexpr bool IsAtLeast(Severity severity, Severity limit) { return severity <= limit; }

}  // namespace warden::rules

#endif  // WARDEN_RULES_SEVERITY_H_
