// What the GPUs did, as far as the names of their works tell.

#include <fmt/format.h>

#include <algorithm>

#include "warden/dashboard/profile/dashboard_sections.h"
#include "warden/dashboard/profile/panel_building.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"

namespace warden::dashboard {
namespace {

using report::Section;
using report::Tone;

constexpr double kMuchCommunication = 30;  // Percent.
constexpr double kMuchMemory = 20;

// Those of the GPU's works that are of one of the kinds.
std::vector<NamedSum> WorksOf(const ProfileTally& tally, std::initializer_list<GpuWork> kinds) {
  std::vector<NamedSum> works = LongestFirst(tally.gpu_work());
  std::erase_if(works, [&](const NamedSum& work) {
    return std::find(kinds.begin(), kinds.end(), GpuWorkOf(work.first)) == kinds.end();
  });
  return works;
}

// The same works put together under other names.
template <class F>
std::vector<NamedSum> Together(const std::vector<NamedSum>& works, F name_of) {
  ProfileTally::Sums sums;
  for (const auto& [name, work] : works) {
    WorkSum& sum = sums[std::string(name_of(name))];
    sum.count += work.count;
    sum.total_us += work.total_us;
    sum.max_us = std::max(sum.max_us, work.max_us);
  }
  return LongestFirst(sums);
}

std::string NoGpuWork(std::string_view what) {
  return fmt::format("No {} in the profiled steps.", what);
}

double ShareOf(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

Section KernelsPanel(const ProfileTally& tally) {
  Section section = {.id = "kernels", .title = "GPU kernels"};
  auto kernels = WorksOf(tally, {GpuWork::kKernel, GpuWork::kCommunication});
  if (kernels.empty()) return EmptyPanel("kernels", section.title, NoGpuWork("GPU kernels"));
  const double total = TotalUs(kernels);
  section.text.push_back(
      {fmt::format("{} took {} in total; {} alone took {}.",
                   report::Counted(static_cast<int64_t>(kernels.size()), "kernel", "kernels"),
                   report::Duration(total / 1e6), kernels[0].first,
                   report::Percent(ShareOf(kernels[0].second.total_us, total)))});
  section.charts.push_back(
      report::PieChart("Time spent by GPU kernels", SecondsOf(kernels), kTopTimes));
  section.tables.push_back(WorkTable("GPU kernels by time", "kernel", kernels));
  report::SortStably(&kernels, [](const NamedSum& a, const NamedSum& b) {
    return a.second.count > b.second.count;
  });
  std::vector<report::Named> counts;
  for (const auto& [name, sum] : kernels) counts.push_back({name, static_cast<double>(sum.count)});
  section.charts.push_back(
      report::PieChart("Launch counts by GPU kernel", std::move(counts), kTopLaunches));
  return section;
}

Section LaunchesPanel(const ProfileTally& tally) {
  Section section = {.id = "launches", .title = "Kernel launches"};
  const rules::Distribution& launches = tally.launches();
  if (launches.empty()) {
    return EmptyPanel("launches", section.title, NoGpuWork("kernel launches"));
  }
  section.text.push_back({fmt::format("{}; median host time per launch: {}.",
                                      report::Counted(launches.count(), "launch", "launches"),
                                      report::Duration(launches.Quantile(0.5)))});
  if (tally.waits().count > 0) {
    section.text.push_back({fmt::format("The host waited for the GPU {}, {} in total.",
                                        report::Counted(tally.waits().count, "time", "times"),
                                        report::Duration(tally.waits().total_us / 1e6))});
  }
  section.charts.push_back(report::HistogramChart("Host time per launch", "milliseconds",
                                                  {TimesHistogram("launches", launches)}));
  section.tables.push_back(TimesTable("Kernel launches", "what", {{"launches", &launches}}));
  return section;
}

Section PrecisionPanel(const ProfileTally& tally) {
  Section section = {.id = "precision", .title = "Kernel precision"};
  const auto kernels = WorksOf(tally, {GpuWork::kKernel});
  if (kernels.empty()) return EmptyPanel("precision", section.title, NoGpuWork("GPU kernels"));
  const auto by_type = Together(kernels, [](const std::string& name) -> std::string_view {
    const std::string_view precision = PrecisionOf(name);
    return precision.empty() ? "unknown" : precision;
  });
  section.text.push_back({"Derived from kernel names.", Tone::kQuiet});
  section.charts.push_back(report::PieChart("Time by precision", SecondsOf(by_type), kTimes));
  section.tables.push_back(WorkTable("Time by precision", "precision", by_type));
  return section;
}

Section GpuWorkPanel(const ProfileTally& tally) {
  Section section = {.id = "gpu-activity", .title = "GPU activity"};
  auto works = Together(LongestFirst(tally.gpu_work()), [](const std::string& name) {
    switch (GpuWorkOf(name)) {
      case GpuWork::kKernel: return "Kernels";
      case GpuWork::kCommunication: return "Communication";
      case GpuWork::kCopy: return "Copies";
      case GpuWork::kFill: return "Fills";
    }
    return "Kernels";
  });
  if (works.empty()) {
    return EmptyPanel("gpu-activity", section.title, NoGpuWork("GPU activity"));
  }
  if (tally.waits().count > 0) works.emplace_back("Host wait", tally.waits());
  section.charts.push_back(report::PieChart("Time by type of work", SecondsOf(works), kTimes));
  section.tables.push_back(WorkTable("Time by type of work", "work", works));
  return section;
}

Section MemoryPanel(const ProfileTally& tally) {
  Section section = {.id = "memory-operations", .title = "GPU memory operations"};
  const auto works = WorksOf(tally, {GpuWork::kCopy, GpuWork::kFill});
  if (works.empty()) {
    const bool other_work = !tally.gpu_work().empty();
    return EmptyPanel("memory-operations", section.title,
                      other_work ? "Kernels were recorded, but no copies or fills."
                                 : NoGpuWork("memory operations"));
  }
  const auto operations = Together(works, MemoryOperationOf);
  const double share = ShareOf(TotalUs(works), TotalUs(LongestFirst(tally.gpu_work())));
  section.text.push_back(
      {fmt::format("{} of GPU time is spent copying and filling memory{}.", report::Percent(share),
                   share > kMuchMemory ? ": keep data on the device and pin host memory" : ""),
       share > kMuchMemory ? Tone::kWarning : Tone::kGood});
  section.charts.push_back(report::PieChart("Time by operation", SecondsOf(operations), kTimes));
  section.tables.push_back(WorkTable("Memory operations", "operation", operations));
  return section;
}

Section CommunicationPanel(const ProfileTally& tally) {
  Section section = {.id = "communication", .title = "Communication"};
  const auto kernels = WorksOf(tally, {GpuWork::kCommunication});
  const auto hosts = LongestFirst(tally.communication());
  if (kernels.empty() && hosts.empty()) {
    return EmptyPanel("communication", section.title,
                      "No communication between devices recorded: no collective kernels, and no "
                      "Horovod or data-parallel timeline.");
  }
  if (!kernels.empty()) {
    const double all = TotalUs(WorksOf(tally, {GpuWork::kKernel, GpuWork::kCommunication}));
    const double share = ShareOf(TotalUs(kernels), all);
    const bool much = share > kMuchCommunication;
    section.text.push_back(
        {fmt::format("{} of kernel time is communication between GPUs{}.", report::Percent(share),
                     much ? ": use larger batches or gradient accumulation to reduce it" : ""),
         much ? Tone::kWarning : Tone::kPlain});
    section.charts.push_back(report::PieChart(
        "Compute and communication",
        {{"Communication", TotalUs(kernels) / 1e6}, {"Compute", (all - TotalUs(kernels)) / 1e6}},
        kTimes));
    section.tables.push_back(WorkTable("Collective kernels", "kernel", kernels));
  }
  if (!hosts.empty()) {
    section.charts.push_back(
        report::PieChart("Collective operations", SecondsOf(hosts), kTopTimes));
    section.tables.push_back(WorkTable("Collective operations", "operation", hosts));
  }
  return section;
}

}  // namespace warden::dashboard
