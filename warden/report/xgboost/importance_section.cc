// Which features the trees use, by each measure.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warden/report/words.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kShown = 20;
constexpr size_t kMostFeatures = 1000;

struct Kind {
  std::string_view name;
  std::string_view title;
  std::string_view meaning;
};
constexpr Kind kKinds[] = {
    {"weight", "Weight: number of splits on the feature",
     "Weight counts the splits on a feature in all trees. Features with many distinct values are "
     "split often, even if it helps little."},
    {"gain", "Gain: average improvement per split on the feature",
     "Gain is the average decrease of the loss per split on the feature. It is the best hint at "
     "what drives the predictions."},
    {"cover", "Cover: average number of rows per split on the feature",
     "Cover is the average number of rows that reach a split on the feature, weighted by the "
     "second derivative of the loss."},
    {"total_gain", "Total gain",
     "Total gain and total cover are sums over all splits instead of averages."},
    {"total_cover", "Total cover", ""}};

const ImportanceKind* Find(const Importance& importance, std::string_view kind) {
  for (const ImportanceKind& one : importance.kinds) {
    if (one.kind == kind) return &one;
  }
  return nullptr;
}

Table AllFeatures(const Importance& importance) {
  Table table = {.caption = "All features (% of each measure)",
                 .columns = {"feature"},
                 .rows = {},
                 .numeric = {false},
                 .shown = kShown};
  std::map<std::string_view, std::vector<std::string>> rows;
  for (const ImportanceKind& kind : importance.kinds) {
    table.columns.push_back(kind.kind);
    table.numeric.push_back(true);
    for (const Named& feature : kind.features) rows[feature.name];
  }
  for (const ImportanceKind& kind : importance.kinds) {
    const double sum = kind.Sum();
    std::map<std::string_view, double> values;
    for (const Named& feature : kind.features) values[feature.name] = feature.value;
    for (auto& [name, row] : rows) {
      const auto found = values.find(name);
      row.push_back(found == values.end() ? "–" : Fixed(PercentOf(found->second, sum), 2));
    }
  }
  // In the order of the first measure; those that it does not have come last.
  for (const Named& feature : importance.kinds.front().features) {
    auto node = rows.extract(feature.name);
    if (node.empty() || table.rows.size() >= kMostFeatures) continue;
    std::vector<std::string> row = {feature.name};
    row.insert(row.end(), node.mapped().begin(), node.mapped().end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section ImportanceSection(const RunStatistics& statistics) {
  Section section = {.id = "importance", .title = "Feature importance"};
  if (!statistics.importance) {
    section.text.push_back(
        Missing("no feature importance was saved", "Save the collection “feature_importance”"));
    return section;
  }
  const Importance& importance = *statistics.importance;
  section.text.push_back({fmt::format(
      "Values at step {}, as shares over all features. A single feature far above the others may "
      "leak the label.",
      importance.step)});
  for (const Kind& kind : kKinds) {
    const ImportanceKind* saved = Find(importance, kind.name);
    if (saved == nullptr) continue;
    if (!kind.meaning.empty()) section.text.push_back({std::string(kind.meaning), Tone::kQuiet});
    const double sum = saved->Sum();
    if (!(sum > 0)) continue;
    std::vector<Named> bars;
    for (const Named& feature : saved->features) {
      bars.push_back({feature.name, PercentOf(feature.value, sum)});
    }
    section.charts.push_back(BarsChart(std::string(kind.title), bars, "%", kShown));
  }
  section.tables.push_back(AllFeatures(importance));
  return section;
}

}  // namespace warden::report::xgboost
