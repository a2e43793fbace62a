// What the script and its operators did on the host.

#include <fmt/format.h>

#include "warden/dashboard/profile/dashboard_sections.h"
#include "warden/dashboard/profile/panel_building.h"
#include "warden/report/words.h"

namespace warden::dashboard {
namespace {

using report::Section;

void AddTimes(const ProfileTally::Times& times, std::string caption, std::string what,
              Section* section) {
  std::vector<std::pair<std::string, const rules::Distribution*>> rows;
  for (const auto& [name, seconds] : times) {
    if (seconds.empty()) continue;
    rows.emplace_back(name, &seconds);
    section->charts.push_back(
        report::HistogramChart(name, "milliseconds", {TimesHistogram(name, seconds)}));
  }
  if (!rows.empty()) {
    section->tables.push_back(TimesTable(std::move(caption), std::move(what), rows));
  }
}

}  // namespace

Section AnnotationsPanel(const ProfileTally& tally) {
  Section section = {.id = "annotations", .title = "Annotations and passes"};
  AddTimes(tally.annotations(), "Annotations", "annotation", &section);
  if (tally.annotations().empty()) {
    section.text.push_back(
        {"No annotations recorded. Wrap code in smprof.annotate(\"name\"), or annotation_begin and "
         "annotation_end, to see how long it takes.",
         report::Tone::kQuiet});
  }
  AddTimes(tally.passes(), "Passes", "phase", &section);
  return section;
}

Section CpuPanel(const ProfileTally& tally) {
  Section section = {.id = "cpu-operators", .title = "CPU operators"};
  const auto operators = LongestFirst(tally.cpu_work());
  if (operators.empty()) {
    return EmptyPanel("cpu-operators", section.title,
                      fmt::format("No operators recorded. {}", kSwitchOn));
  }
  section.text.push_back(
      {"Time of an operator that runs inside another counts toward both.", report::Tone::kQuiet});
  section.charts.push_back(
      report::PieChart("Time spent in CPU operators", SecondsOf(operators), kTopSlices));
  section.tables.push_back(WorkTable("CPU operators", "operator", operators));
  return section;
}

}  // namespace warden::dashboard
