// All rules: what each looks for, what to do, how often it held.

#include <fmt/format.h>

#include <algorithm>

#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"
#include "warden/rules/catalog/registry.h"

namespace warden::report {
namespace {

std::string OnOneLine(std::string parameters) {
  size_t at = 0;
  while ((at = parameters.find('\n', at)) != std::string::npos) parameters.replace(at, 1, ", ");
  return parameters.empty() ? "–" : parameters;
}

Paragraph MostTriggered(const std::vector<rules::ProfilerResult>& sorted) {
  const rules::ProfilerResult& most = sorted.front();
  if (most.triggered == 0) {
    const auto silent = std::count_if(sorted.begin(), sorted.end(),
                                      [](const auto& one) { return !one.not_evaluated.empty(); });
    std::string text = "No problems found.";
    if (silent > 0) {
      text += fmt::format(" {} not evaluated; the descriptions say why.",
                          Counted(silent, "rule was", "rules were"));
    }
    return {text, silent > 0 ? Tone::kPlain : Tone::kGood};
  }
  return {fmt::format("{} was triggered most often: in {}, on {}.", most.rule,
                      Counted(most.triggered, "interval", "intervals"),
                      Counted(most.datapoints, "data point", "data points")),
          Tone::kWarning};
}

// What a finding means, and why the rule was not evaluated, or how, if that was unusual.
std::string Description(const rules::ProfilerResult& result, const rules::RuleSpec* spec) {
  std::string text = spec == nullptr ? "–" : std::string(spec->doc);
  if (!result.not_evaluated.empty())
    text += fmt::format(" Not evaluated: {}.", result.not_evaluated);
  if (!result.note.empty()) text += " " + result.note;
  return text;
}

Table RulesTable(const std::vector<rules::ProfilerResult>& sorted) {
  Table table = {.caption = "Rules by number of triggers",
                 .columns = {"rule", "triggered", "data points", "description", "recommendation",
                             "parameters"},
                 .rows = {},
                 .numeric = {false, true, true, false, false, false}};
  for (const rules::ProfilerResult& result : sorted) {
    const auto found = rules::FindRule(result.rule);
    const rules::RuleSpec* spec = found.ok() ? found.value().entry->spec : nullptr;
    table.rows.push_back({result.rule, Count(result.triggered), Count(result.datapoints),
                          Description(result, spec),
                          spec == nullptr || spec->advice.empty() ? "–" : std::string(spec->advice),
                          OnOneLine(result.parameters)});
  }
  return table;
}

}  // namespace

Section RulesSection(const ProfilerInputs& inputs) {
  Section section = {.id = "rules", .title = "Rules"};
  if (inputs.results.empty()) {
    section.text.push_back({"No rules were run.", Tone::kQuiet});
    return section;
  }
  std::vector<rules::ProfilerResult> sorted = inputs.results;
  SortStably(&sorted, [](const auto& a, const auto& b) {
    return std::pair(a.triggered, a.violations) > std::pair(b.triggered, b.violations);
  });
  section.text.push_back(MostTriggered(sorted));
  const auto noted = std::count_if(sorted.begin(), sorted.end(),
                                   [](const auto& one) { return !one.note.empty(); });
  if (noted > 0) {
    section.text.push_back(
        {fmt::format("The run is short: {} checked with fewer data points than "
                     "usual; the descriptions say how.",
                     Counted(noted, "rule was", "rules were"))});
  }
  section.tables.push_back(RulesTable(sorted));
  return section;
}

}  // namespace warden::report
