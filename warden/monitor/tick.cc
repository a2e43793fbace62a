#include "warden/monitor/tick.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "warden/base/json.h"

namespace warden::monitor {
namespace {

std::string StartOfLine(Metric metric, std::string_view name) {
  const MetricDesc& desc = Describe(metric);
  std::string text = R"({"Type":)";
  AppendJsonString(desc.type, &text);
  text += R"(,"Name":)";
  AppendJsonString(name, &text);
  text += R"(,"Dimension":)";
  AppendJsonString(desc.dimension, &text);
  text += R"(,"Value":)";
  return text;
}

// Counts as they are; the rest rounded where nobody measures that well, which halves the files.
void AppendValue(double value, std::string* out) {
  constexpr double kExact = 9e15;  // Whole numbers up to here are.
  const bool count = std::trunc(value) == value && std::fabs(value) < kExact;
  if (count) {
    fmt::format_to(std::back_inserter(*out), "{}", static_cast<int64_t>(value));
  } else {
    fmt::format_to(std::back_inserter(*out), "{:.6g}", value);
  }
}

}  // namespace

SlotId Slots::Of(Metric metric, std::string_view name) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].metric == metric && slots_[i].name == name) return static_cast<SlotId>(i);
  }
  slots_.push_back({metric, std::string(name), StartOfLine(metric, name)});
  return static_cast<SlotId>(slots_.size() - 1);
}

void Tick::Put(SlotId slot, double value) {
  if (std::isfinite(value)) values.push_back({slot, value});
}

void AppendTick(const Tick& tick, const Slots& slots, std::string_view node, std::string* out) {
  // The same for all lines, so made once: formatting numbers is most of the work.
  fmt::memory_buffer rest;
  fmt::format_to(std::back_inserter(rest), R"(,"NodeId":"{}","Timestamp":{:.6f}}})", node,
                 tick.time_s);
  rest.push_back('\n');
  for (const Tick::Value& value : tick.values) {
    out->append(slots[value.slot].start);
    AppendValue(value.value, out);
    out->append(rest.data(), rest.size());
  }
}

}  // namespace warden::monitor
