// How much of the GPUs and of their memory was used.

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr size_t kMostDevices = 64;
constexpr size_t kMostSentences = 4;

struct Device {
  std::string name;
  const Json* statistics;
};

std::vector<Device> DevicesIn(const Json& details) {
  std::vector<Device> devices;
  const auto nodes = NodesIn(details);
  for (const auto& [node, gpus] : nodes) {
    for (const auto& [gpu, statistics] : NodesIn(*gpus)) {
      if (devices.size() >= kMostDevices) break;
      devices.push_back({DeviceName(node, gpu, nodes.size() > 1), statistics});
    }
  }
  return devices;
}

std::vector<Box> BoxesOf(const std::vector<Device>& devices) {
  std::vector<Box> boxes;
  for (const Device& device : devices) {
    auto box = BoxOf(device.name, *device.statistics);
    if (box) boxes.push_back(std::move(*box));
  }
  return boxes;
}

std::string Cell(const Json& statistics, const char* name, int decimals) {
  const auto value = NumberAt(statistics, name);
  return value ? Fixed(*value, decimals) : "–";
}

Paragraph UseOf(const Device& device) {
  const Json& statistics = *device.statistics;
  const double low = AmountAt(statistics, "low");
  const double fluctuating = AmountAt(statistics, "fluctuating");
  if (NumberAt(statistics, "gpu_max") == 0.0) {
    return {fmt::format("{} was not used.", device.name), Tone::kWarning};
  }
  if (low > 0 && low >= fluctuating) {
    return {
        fmt::format("{} is underused: utilization is below {} half of the time, and its current "
                    "p95 is {}.",
                    device.name, Percent(AmountAt(statistics, "p50")),
                    Percent(AmountAt(statistics, "gpu_95"))),
        Tone::kWarning};
  }
  if (fluctuating > 0) {
    return {fmt::format("{} works in bursts: p95 is {} and p5 is {}, so it often waits.",
                        device.name, Percent(AmountAt(statistics, "gpu_95")),
                        Percent(AmountAt(statistics, "gpu_5"))),
            Tone::kWarning};
  }
  return {fmt::format("{}: median utilization is {}.", device.name,
                      Percent(AmountAt(statistics, "p50"))),
          Tone::kGood};
}

Paragraph MemoryOf(const Device& device) {
  const Json& statistics = *device.statistics;
  const double slope = AmountAt(statistics, "slope_percent_per_hour");
  const double most = AmountAt(statistics, "gpu_max");
  if (FlagAt(statistics, "leak").value_or(false) && slope > 0) {
    std::string text =
        fmt::format("{}: memory usage grows steadily by {} per hour", device.name, Percent(slope));
    if (most < 100)
      text += fmt::format("; at this rate it reaches 100 % in {}",
                          Duration((100 - most) / slope * 3600));
    return {text + ".", Tone::kWarning};
  }
  return {fmt::format("{}: peak memory usage is {}, median {}.", device.name, Percent(most),
                      Percent(AmountAt(statistics, "p50")))};
}

// One sentence for each device, those that need attention first, as many as a reader takes in.
void AddSentences(std::vector<Paragraph> sentences, Section* section) {
  SortStably(&sentences, [](const Paragraph& a, const Paragraph& b) {
    return a.tone == Tone::kWarning && b.tone != Tone::kWarning;
  });
  const size_t shown = std::min(sentences.size(), kMostSentences);
  section->text.insert(section->text.end(), sentences.begin(),
                       sentences.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < sentences.size()) {
    section->text.push_back({fmt::format("The table shows the other GPUs ({}).",
                                         Count(static_cast<int64_t>(sentences.size() - shown)))});
  }
}

}  // namespace

Section GpuUseSection(const ProfilerInputs& inputs) {
  Section section = {.id = "gpu", .title = "GPU utilization"};
  const auto devices = DevicesIn(DetailsOf(inputs, "LowGPUUtilization"));
  if (devices.empty()) {
    section.text.push_back(NothingOf(inputs, "LowGPUUtilization"));
    return section;
  }
  section.text.push_back(VerdictOf(inputs, "LowGPUUtilization", "data points"));
  Table table = {.caption = "Utilization per GPU (%)",
                 .columns = {"GPU", "max", "p95 (window)", "p50", "p5 (window)", "low (count)",
                             "fluctuating (count)"},
                 .rows = {},
                 .numeric = {false, true, true, true, true, true, true}};
  std::vector<Paragraph> sentences;
  for (const Device& device : devices) {
    const Json& statistics = *device.statistics;
    sentences.push_back(UseOf(device));
    table.rows.push_back({device.name, Cell(statistics, "gpu_max", 1),
                          Cell(statistics, "gpu_95", 1), Cell(statistics, "p50", 1),
                          Cell(statistics, "gpu_5", 1), Cell(statistics, "low", 0),
                          Cell(statistics, "fluctuating", 0)});
  }
  AddSentences(std::move(sentences), &section);
  const auto boxes = BoxesOf(devices);
  if (!boxes.empty()) {
    const double low = ParameterOf(inputs, "LowGPUUtilization", "threshold_p95").value_or(70);
    section.charts.push_back(BoxChart("Utilization per GPU", "%", boxes,
                                      {{low, fmt::format("p95 should reach {}", Percent(low))}}));
  }
  section.tables.push_back(std::move(table));
  return section;
}

Section GpuMemorySection(const ProfilerInputs& inputs) {
  Section section = {.id = "gpu-memory", .title = "GPU memory"};
  const auto devices = DevicesIn(DetailsOf(inputs, "GPUMemoryIncrease"));
  if (devices.empty()) {
    section.text.push_back(NothingOf(inputs, "GPUMemoryIncrease"));
    return section;
  }
  section.text.push_back(VerdictOf(inputs, "GPUMemoryIncrease", "data points"));
  Table table = {.caption = "Memory usage per GPU (%)",
                 .columns = {"GPU", "max", "p95", "p50", "p05", "largest increase",
                             "slope (% per hour)", "leak"},
                 .rows = {},
                 .numeric = {false, true, true, true, true, true, true, false}};
  std::vector<Paragraph> sentences;
  for (const Device& device : devices) {
    const Json& statistics = *device.statistics;
    sentences.push_back(MemoryOf(device));
    table.rows.push_back({device.name, Cell(statistics, "gpu_max", 1), Cell(statistics, "p95", 1),
                          Cell(statistics, "p50", 1), Cell(statistics, "p05", 1),
                          Cell(statistics, "increase", 2),
                          Cell(statistics, "slope_percent_per_hour", 2),
                          FlagAt(statistics, "leak").value_or(false) ? "yes" : "no"});
  }
  AddSentences(std::move(sentences), &section);
  const auto boxes = BoxesOf(devices);
  if (!boxes.empty()) section.charts.push_back(BoxChart("Memory usage per GPU", "%", boxes));
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace warden::report
