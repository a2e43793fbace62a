#include "warden/rules/severity.h"

#include <string>

#include "warden/base/strings.h"

namespace warden::rules {

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kProblem: return "problem";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "problem";
}

std::optional<Severity> ParseSeverity(std::string_view name) {
  const std::string lower = LowerAscii(name);
  for (const Severity severity : {Severity::kProblem, Severity::kWarning, Severity::kNote}) {
    if (lower == SeverityName(severity)) return severity;
  }
  return std::nullopt;
}

}  // namespace warden::rules
