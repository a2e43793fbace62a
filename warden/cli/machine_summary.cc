#include "warden/cli/machine_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "warden/cli/text.h"

namespace warden::cli {
namespace {

using monitor::Metric;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kBarWidth = 20;
constexpr size_t kTitleWidth = 10;
constexpr size_t kTextColumn = kTitleWidth + 1 + kBarWidth + 8 + 2;  // Behind " 100.0 %".

double Mean(const std::vector<double>& values) {
  if (values.empty()) return kUnknown;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string Percent(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.1f} %", value);
}

std::string BytesText(double value) {
  return std::isnan(value) ? "-" : FormatBytes(static_cast<uint64_t>(std::max(value, 0.0)));
}

// Digits after the point.
std::string Number(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

std::string Rate(double value) { return std::isnan(value) ? "-" : BytesText(value) + "/s"; }

// A bar of a percentage, and the percentage.
std::string Bar(double percent, const Terminal& terminal) {
  if (std::isnan(percent)) return std::string(kBarWidth, ' ') + "       -";
  const int full = static_cast<int>(std::clamp(percent, 0.0, 100.0) / 100 * kBarWidth + 0.5);
  std::string bar;
  for (int i = 0; i < full; ++i) bar += terminal.utf8 ? "█" : "#";
  std::string rest;
  for (int i = full; i < kBarWidth; ++i) rest += terminal.utf8 ? "░" : ".";
  const Style style = percent >= 90 ? Style::kBad : percent >= 70 ? Style::kWarning : Style::kGood;
  return Styled(bar, style, terminal) + Styled(rest, Style::kDim, terminal) +
         fmt::format(" {:5.1f} %", percent);
}

}  // namespace

void MachineSummary::Take(const monitor::Tick& tick, const monitor::Slots& slots) {
  for (size_t slot = values_.size(); slot < slots.size(); ++slot) {
    const auto& made = slots[static_cast<monitor::SlotId>(slot)];
    values_.push_back({made.metric, made.name, kUnknown});
  }
  for (const auto& value : tick.values) values_[value.slot].value = value.value;
}

std::vector<double> MachineSummary::All(Metric metric) const {
  std::vector<double> values;
  for (const LastValue& last : values_) {
    if (last.metric == metric && !std::isnan(last.value)) values.push_back(last.value);
  }
  return values;
}

double MachineSummary::Last(Metric metric, std::string_view name) const {
  for (const LastValue& last : values_) {
    if (last.metric == metric && (name.empty() || last.name == name)) return last.value;
  }
  return kUnknown;
}

const MachineSummary::LastValue* MachineSummary::Highest(Metric metric) const {
  const LastValue* highest = nullptr;
  for (const LastValue& last : values_) {
    if (last.metric != metric || std::isnan(last.value)) continue;
    if (highest == nullptr || last.value > highest->value) highest = &last;
  }
  return highest;
}

std::string MachineSummary::Processors() const {
  const auto cores = All(Metric::kCpu);
  std::string text =
      fmt::format("{}, I/O wait {}, load {}", CountOf(cores.size(), "core"),
                  Percent(Mean(All(Metric::kIoWait))), Number(Last(Metric::kLoad1), 2));
  if (const LastValue* busiest = Highest(Metric::kCpu)) {
    text += fmt::format(", busiest {} {}", busiest->name, Percent(busiest->value));
  }
  if (const double quota = Last(Metric::kContainerCpu); !std::isnan(quota)) {
    text += fmt::format(", {} of the container's {:.2g} cores", Percent(quota),
                        Last(Metric::kContainerCpuLimit));
  }
  return text;
}

std::string MachineSummary::Memory() const {
  std::string text;
  if (const double limit = Last(Metric::kContainerMemoryLimit); !std::isnan(limit)) {
    text = fmt::format("{} of the container's {}", BytesText(Last(Metric::kContainerMemory)),
                       BytesText(limit));
  }
  if (const double swap = Last(Metric::kSwapUsed); !std::isnan(swap)) {
    text += fmt::format("{}swap {}", text.empty() ? "" : ", ", Percent(swap));
  }
  return text;
}

std::string MachineSummary::Disks() const {
  std::string text =
      fmt::format("read {}, write {}, {} operations/s", Rate(Last(Metric::kDiskRead)),
                  Rate(Last(Metric::kDiskWrite)), Number(Last(Metric::kIops), 0));
  if (const LastValue* busiest = Highest(Metric::kDeviceBusy)) {
    text += fmt::format(", busiest {} {}", Printable(busiest->name), Percent(busiest->value));
  }
  return text;
}

std::string MachineSummary::Network() const {
  return fmt::format("in {}, out {}", Rate(Last(Metric::kNetworkReceive)),
                     Rate(Last(Metric::kNetworkTransmit)));
}

std::string MachineSummary::Pressure() const {
  return fmt::format("cpu {}, io {}, memory {}", Percent(Last(Metric::kPressureSome, "cpu")),
                     Percent(Last(Metric::kPressureSome, "io")),
                     Percent(Last(Metric::kPressureSome, "memory")));
}

std::string MachineSummary::Gpu(const std::string& name) const {
  const auto whole = [&](Metric metric) { return Number(Last(metric, name), 0); };
  return fmt::format("memory {}, {} of {} W, {} C, {} MHz, PCIe in {} out {}",
                     Percent(Last(Metric::kGpuMemory, name)), whole(Metric::kGpuPower),
                     whole(Metric::kGpuPowerLimit), whole(Metric::kGpuTemperature),
                     whole(Metric::kGpuClock), Rate(Last(Metric::kGpuPcieReceive, name)),
                     Rate(Last(Metric::kGpuPcieTransmit, name)));
}

std::string MachineSummary::Training() const {
  const auto whole = [&](Metric metric) { return Number(Last(metric), 0); };
  return fmt::format("{}, processes {} ({} loading data), threads {}, read {}, write {}",
                     BytesText(Last(Metric::kProcessMemory)), whole(Metric::kProcessCount),
                     whole(Metric::kProcessWorkers), whole(Metric::kProcessThreads),
                     Rate(Last(Metric::kProcessRead)), Rate(Last(Metric::kProcessWrite)));
}

std::vector<std::string> MachineSummary::Lines(const Terminal& terminal) const {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view title, double percent, const std::string& text) {
    const std::string blanks(kTitleWidth - std::min(title.size(), kTitleWidth), ' ');
    // A line that is broken by the terminal could not be drawn over.
    const size_t room = static_cast<size_t>(std::max(terminal.width, 0));
    const size_t left = room > kTextColumn + 1 ? room - kTextColumn - 1 : 1;
    lines.push_back(fmt::format("{}{} {}  {}", Styled(title, Style::kBold, terminal), blanks,
                                Bar(percent, terminal), Shorten(text, left, CutMark(terminal))));
  };
  add("CPU", Mean(All(Metric::kCpu)), Processors());
  add("Memory", Last(Metric::kMemoryUsed), Memory());
  const LastValue* disk = Highest(Metric::kDeviceBusy);
  add("Disks", disk == nullptr ? kUnknown : disk->value, Disks());
  add("Network", kUnknown, Network());
  if (!All(Metric::kPressureSome).empty()) {
    add("Pressure", Highest(Metric::kPressureSome)->value, Pressure());
  }
  for (const LastValue& last : values_) {
    if (last.metric == Metric::kGpu) add(last.name, last.value, Gpu(last.name));
  }
  if (!All(Metric::kProcessCount).empty()) add("Training", Last(Metric::kProcessCpu), Training());
  return lines;
}

std::string MachineSummary::Line() const {
  std::string text =
      fmt::format("cpu {}, I/O wait {}, memory {}, disk read {} write {}, network in {} out {}",
                  Percent(Mean(All(Metric::kCpu))), Percent(Mean(All(Metric::kIoWait))),
                  Percent(Last(Metric::kMemoryUsed)), Rate(Last(Metric::kDiskRead)),
                  Rate(Last(Metric::kDiskWrite)), Rate(Last(Metric::kNetworkReceive)),
                  Rate(Last(Metric::kNetworkTransmit)));
  for (const LastValue& last : values_) {
    if (last.metric != Metric::kGpu) continue;
    text += fmt::format(", {} {} memory {}", last.name, Percent(last.value),
                        Percent(Last(Metric::kGpuMemory, last.name)));
  }
  return text;
}

}  // namespace warden::cli
