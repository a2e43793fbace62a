// What the script and its operators did on the host.

#include <fmt/format.h>

#include "warden/dashboard/profile/dashboard_sections.h"
#include "warden/dashboard/profile/panel_building.h"
#include "warden/report/sorted.h"
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
  std::vector<NamedSum> operators = LongestFirst(tally.cpu_work());
  if (operators.empty()) {
    return EmptyPanel("cpu-operators", section.title,
                      "No CPU operators ran in the profiled steps.");
  }
  report::SortStably(&operators, [](const NamedSum& a, const NamedSum& b) {
    return a.second.self_us > b.second.self_us;
  });
  section.text.push_back(
      {"Self time excludes the operators that an operator calls; total time includes them.",
       report::Tone::kQuiet});
  std::vector<report::Named> slices;
  for (const NamedSum& one : operators) slices.push_back({one.first, one.second.self_us / 1e6});
  section.charts.push_back(
      report::PieChart("Self time of CPU operators", std::move(slices), kTopTimes));
  section.tables.push_back(NestedTable("CPU operators", "operator", operators));
  return section;
}

}  // namespace warden::dashboard
