#include "warden/actions/firing_metrics.h"

#include <fmt/format.h>

#include "warden/base/text/utf8.h"

namespace warden::actions {
namespace {

std::string Escaped(std::string_view value) {
  std::string text;
  for (const char c : ValidUtf8(value)) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? "\\n" : std::string(1, c);
  }
  return text;
}

}  // namespace

void FiringMetrics::Count(const Firing& firing) {
  const std::lock_guard lock(mutex_);
  ++counts_[{firing.job, firing.rule}];
}

std::string FiringMetrics::Text() const {
  std::string totals =
      "# HELP warden_rule_firings_total Number of findings of the rule.\n"
      "# TYPE warden_rule_firings_total counter\n";
  std::string fired =
      "# HELP warden_rule_fired 1 if the rule has found a problem.\n"
      "# TYPE warden_rule_fired gauge\n";
  const std::lock_guard lock(mutex_);
  for (const auto& [names, count] : counts_) {
    const std::string labels =
        fmt::format("{{job=\"{}\",rule=\"{}\"}}", Escaped(names.first), Escaped(names.second));
    totals += fmt::format("warden_rule_firings_total{} {}\n", labels, count);
    fired += fmt::format("warden_rule_fired{} 1\n", labels);
  }
  return totals + fired;
}

}  // namespace warden::actions
