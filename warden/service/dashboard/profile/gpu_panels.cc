// What the GPUs did, as far as the names of their works tell.

#include <fmt/format.h>

#include <algorithm>

#include "warden/report/sorted.h"
#include "warden/report/words.h"
#include "warden/service/dashboard/profile/dashboard_sections.h"
#include "warden/service/dashboard/profile/panel_parts.h"

namespace warden::service {
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
  return fmt::format("No {} is on record. {}", what, kSwitchOn);
}

double ShareOf(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

Section KernelsPanel(const ProfileTally& tally) {
  Section section = {.id = "kernels", .title = "GPU kernels"};
  auto kernels = WorksOf(tally, {GpuWork::kKernel, GpuWork::kCommunication});
  if (kernels.empty()) return EmptyPanel("kernels", section.title, NoGpuWork("kernel"));
  const double total = TotalUs(kernels);
  section.text.push_back(
      {fmt::format("{} took {} in all; {} alone takes {} of it.",
                   report::Counted(static_cast<int64_t>(kernels.size()), "kernel", "kernels"),
                   report::Duration(total / 1e6), kernels[0].first,
                   report::Percent(ShareOf(kernels[0].second.total_us, total)))});
  section.charts.push_back(
      report::PieChart("Time spent by GPU kernels", SecondsOf(kernels), kTopSlices));
  section.tables.push_back(WorkTable("GPU kernels by time", "kernel", kernels));
  report::SortStably(&kernels, [](const NamedSum& a, const NamedSum& b) {
    return a.second.count > b.second.count;
  });
  std::vector<report::Named> counts;
  for (const auto& [name, sum] : kernels) counts.push_back({name, static_cast<double>(sum.count)});
  section.charts.push_back(
      report::PieChart("Launch counts of GPU kernels", std::move(counts), kTopSlices));
  return section;
}

Section LaunchesPanel(const ProfileTally& tally) {
  Section section = {.id = "launches", .title = "Kernel launches"};
  const rules::Distribution& launches = tally.launches();
  if (launches.empty()) {
    return EmptyPanel("launches", section.title, NoGpuWork("launch of a kernel"));
  }
  section.text.push_back({fmt::format("{} took {} of the host's time each at the median.",
                                      report::Counted(launches.count(), "launch", "launches"),
                                      report::Duration(launches.Quantile(0.5)))});
  if (tally.waits().count > 0) {
    section.text.push_back({fmt::format("The host waited for the GPU {}, {} in all.",
                                        report::Counted(tally.waits().count, "time", "times"),
                                        report::Duration(tally.waits().total_us / 1e6))});
  }
  section.charts.push_back(report::HistogramChart("Time of a launch on the host", "milliseconds",
                                                  {TimesHistogram("launches", launches)}));
  section.tables.push_back(TimesTable("Launches of kernels", "what", {{"launches", &launches}}));
  return section;
}

Section PrecisionPanel(const ProfileTally& tally) {
  Section section = {.id = "precision", .title = "Precision of kernels"};
  const auto kernels = WorksOf(tally, {GpuWork::kKernel});
  if (kernels.empty()) return EmptyPanel("precision", section.title, NoGpuWork("kernel"));
  const auto by_type = Together(kernels, [](const std::string& name) -> std::string_view {
    const std::string_view precision = PrecisionOf(name);
    return precision.empty() ? "not told by the name" : precision;
  });
  section.text.push_back({"As the names of kernels tell it.", Tone::kQuiet});
  section.charts.push_back(report::PieChart("Time by precision", SecondsOf(by_type)));
  section.tables.push_back(WorkTable("Time by precision", "precision", by_type));
  return section;
}

Section GpuWorkPanel(const ProfileTally& tally) {
  Section section = {.id = "gpu-activity", .title = "What GPUs do"};
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
    return EmptyPanel("gpu-activity", section.title, NoGpuWork("work of a GPU"));
  }
  if (tally.waits().count > 0) works.emplace_back("Waiting of the host", tally.waits());
  section.charts.push_back(report::PieChart("Time by kind of work", SecondsOf(works)));
  section.tables.push_back(WorkTable("Time by kind of work", "work", works));
  return section;
}

Section MemoryPanel(const ProfileTally& tally) {
  Section section = {.id = "memory-operations", .title = "GPU memory operations"};
  const auto works = WorksOf(tally, {GpuWork::kCopy, GpuWork::kFill});
  if (works.empty()) {
    const bool other_work = !tally.gpu_work().empty();
    return EmptyPanel("memory-operations", section.title,
                      other_work ? "Kernels are on record, but neither copies nor fills."
                                 : NoGpuWork("memory operation"));
  }
  const auto operations = Together(works, MemoryOperationOf);
  const double share = ShareOf(TotalUs(works), TotalUs(LongestFirst(tally.gpu_work())));
  section.text.push_back(
      {fmt::format("{} of the GPUs' time goes into copying and filling memory{}.",
                   report::Percent(share),
                   share > kMuchMemory ? ": keep data on the device, and pin host memory" : ""),
       share > kMuchMemory ? Tone::kWarning : Tone::kGood});
  section.charts.push_back(report::PieChart("Time by operation", SecondsOf(operations)));
  section.tables.push_back(WorkTable("Memory operations", "operation", operations));
  return section;
}

Section CommunicationPanel(const ProfileTally& tally) {
  Section section = {.id = "communication", .title = "Communication"};
  const auto kernels = WorksOf(tally, {GpuWork::kCommunication});
  const auto hosts = LongestFirst(tally.communication());
  if (kernels.empty() && hosts.empty()) {
    return EmptyPanel("communication", section.title,
                      "Nothing was exchanged between devices, as far as it is on record: there is "
                      "no collective kernel, and no timeline of Horovod or data parallelism.");
  }
  if (!kernels.empty()) {
    const double all = TotalUs(WorksOf(tally, {GpuWork::kKernel, GpuWork::kCommunication}));
    const double share = ShareOf(TotalUs(kernels), all);
    const bool much = share > kMuchCommunication;
    section.text.push_back(
        {fmt::format("{} of the time of kernels is communication between GPUs{}.",
                     report::Percent(share),
                     much ? ": larger batches, or gradients sent less often, need less of it" : ""),
         much ? Tone::kWarning : Tone::kPlain});
    section.charts.push_back(report::PieChart("Computing and communicating",
                                              {{"Communication", TotalUs(kernels) / 1e6},
                                               {"Computing", (all - TotalUs(kernels)) / 1e6}}));
    section.tables.push_back(WorkTable("Collective kernels", "kernel", kernels));
  }
  if (!hosts.empty()) {
    section.charts.push_back(
        report::PieChart("Collective operations", SecondsOf(hosts), kTopSlices));
    section.tables.push_back(WorkTable("Collective operations", "operation", hosts));
  }
  return section;
}

}  // namespace warden::service
