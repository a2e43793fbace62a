#include "warden/dashboard/profile/dashboard_sections.h"

#include <fmt/format.h>

#include "warden/dashboard/profile/panel_building.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::dashboard {
namespace {

using report::Section;

// Of a pie: samples in which the devices did something.
void AddActivity(const ProfileTally::Activity& activity, const std::string& device,
                 Section* section) {
  const int64_t all = activity.active + activity.idle;
  if (all == 0) return;
  section->charts.push_back(
      report::PieChart(device + " active time", {{"Active", static_cast<double>(activity.active)},
                                                 {"Idle", static_cast<double>(activity.idle)}}));
  const double idle = 100 * static_cast<double>(activity.idle) / static_cast<double>(all);
  section->text.push_back({fmt::format("{}: idle in {} of {} samples.", device,
                                       report::Percent(idle), report::Count(all))});
}

// The charts of a section of the report with one of these titles.
void TakeCharts(const Section& from, std::initializer_list<std::string_view> titles, Section* to) {
  for (const std::string_view title : titles) {
    for (const report::Chart& chart : from.charts) {
      if (chart.title == title) to->charts.push_back(chart);
    }
  }
}

}  // namespace

Section ActivityPanel(const ProfileTally& tally, const report::ProfilerInputs& inputs) {
  Section section = {.id = "activity", .title = "Active and idle time"};
  AddActivity(tally.gpu_activity(), "GPU", &section);
  AddActivity(tally.cpu_activity(), "CPU", &section);
  if (section.charts.empty()) {
    return EmptyPanel("activity", section.title,
                      "The machine was not monitored. `warden run` monitors it by default; jobs do "
                      "unless profiling is disabled.");
  }
  if (tally.gpu_activity().active + tally.gpu_activity().idle == 0) {
    section.text.push_back({"No GPU metrics recorded.", report::Tone::kQuiet});
  }
  TakeCharts(report::SystemSection(inputs), {"GPU utilization", "CPU utilization"}, &section);
  return section;
}

Section StepsPanel(const report::ProfilerInputs& inputs) {
  Section section = report::StepsSection(inputs);
  if (section.charts.empty()) {
    return EmptyPanel("step-time", "Step time",
                      "No steps recorded. Steps are recorded if the training has a hook and "
                      "profiling is on, or from annotations named step.");
  }
  section.id = "step-time";
  section.title = "Step time";
  section.parts.clear();  // Causes are the report's matter.
  return section;
}

std::vector<Section> DashboardSections(const ProfileTally& tally,
                                       const report::ProfilerInputs& inputs) {
  std::vector<Section> sections = {ActivityPanel(tally, inputs), StepsPanel(inputs)};
  const bool gpu = !tally.gpu_work().empty() || !tally.launches().empty();
  const bool cpu = !tally.cpu_work().empty();
  if (gpu) {
    for (auto* panel : {KernelsPanel, LaunchesPanel, PrecisionPanel, GpuWorkPanel, MemoryPanel}) {
      sections.push_back(panel(tally));
    }
  } else if (cpu) {
    sections.push_back(EmptyPanel("kernels", "GPU kernels",
                                  "No GPU work in the profiled steps: their operators ran on the "
                                  "CPU."));
  } else {
    sections.push_back(
        EmptyPanel("kernels", "Kernels and operators",
                   fmt::format("No GPU kernels or CPU operators recorded. {}", kSwitchOn)));
  }
  sections.push_back(CommunicationPanel(tally));
  sections.push_back(AnnotationsPanel(tally));
  if (gpu || cpu) sections.push_back(CpuPanel(tally));
  return sections;
}

}  // namespace warden::dashboard
