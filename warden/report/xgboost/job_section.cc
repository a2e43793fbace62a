// What was trained, and what was saved of it.

#include <fmt/format.h>

#include "warden/report/words.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kShownParameters = 25;

Table FactsTable(const XgboostInputs& inputs) {
  const RunStatistics& statistics = inputs.statistics;
  Table table = {.caption = "Training job", .columns = {"name", "value"}, .rows = {}};
  const auto add = [&](std::string what, std::string value) {
    if (!value.empty()) table.rows.push_back({std::move(what), std::move(value)});
  };
  add("job", inputs.job.name);
  add("folder", inputs.job.folder);
  add("command", inputs.job.command);
  add("task", std::string(TaskName(statistics.recognised.task)));
  if (statistics.last_step) {
    add("boosting rounds", fmt::format("saved up to step {}", *statistics.last_step));
    add("saved steps", Count(statistics.saved_steps));
  }
  if (statistics.importance) {
    size_t features = 0;
    for (const ImportanceKind& kind : statistics.importance->kinds) {
      features = std::max(features, kind.features.size());
    }
    add("features used by the trees", Count(static_cast<int64_t>(features)));
  }
  if (statistics.labels) add("rows of validation data", Count(statistics.labels->rows));
  if (statistics.workers.size() > 1) {
    add("workers", fmt::format("{}; predictions and labels are from {}", statistics.workers.size(),
                               statistics.workers.front()));
  }
  return table;
}

Table ParametersTable(const RunStatistics& statistics) {
  Table table = {.caption = "Hyperparameters",
                 .columns = {"name", "value"},
                 .rows = {},
                 .numeric = {},
                 .shown = kShownParameters};
  for (const auto& [name, text] : statistics.hyperparameters) table.rows.push_back({name, text});
  return table;
}

}  // namespace

Section JobSection(const XgboostInputs& inputs) {
  const RunStatistics& statistics = inputs.statistics;
  Section section = {.id = "job", .title = "Training job"};
  const bool known = statistics.recognised.task != Task::kUnknown;
  if (known) {
    section.text.push_back({fmt::format("Task: {}. {}", TaskName(statistics.recognised.task),
                                        statistics.recognised.how)});
  } else {
    section.text.push_back({statistics.recognised.how, Tone::kWarning});
  }
  section.tables.push_back(FactsTable(inputs));
  if (statistics.hyperparameters.empty()) {
    section.text.push_back(
        {"Hyperparameters were not saved. Save the collection “hyperparameters” to see them here.",
         Tone::kQuiet});
  } else {
    section.tables.push_back(ParametersTable(statistics));
  }
  return section;
}

}  // namespace warden::report::xgboost
