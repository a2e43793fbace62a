#include "warden/timeline/host_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {
namespace {

constexpr int64_t kMillisecond = 1000;
constexpr int64_t kSecond = 1'000'000;

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsSameHost(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '_' ? '-' : c; };
  return std::ranges::equal(a, b, {}, plain, plain);
}

std::string Length(int64_t us, int64_t unit) {
  const double value = static_cast<double>(us);
  if (unit == kSecond) return fmt::format("{:.2f} s", value / kSecond);
  if (unit == kMillisecond) return fmt::format("{:.1f} ms", value / kMillisecond);
  return fmt::format("{} µs", us);
}

int64_t UnitOf(int64_t us) {
  if (us >= kSecond) return kSecond;
  return us >= kMillisecond ? kMillisecond : 1;
}

}  // namespace

std::pair<std::string_view, std::string_view> SplitNode(std::string_view node) {
  constexpr std::string_view kAlgo = "algo-";
  if (node.starts_with(kAlgo)) {
    const size_t at = node.find('-', kAlgo.size());
    if (at == std::string_view::npos) return {node, {}};
    return {node.substr(0, at), node.substr(at + 1)};
  }
  const size_t dash = node.find('-');
  if (dash != std::string_view::npos && dash + 1 < node.size() && IsNumber(node.substr(0, dash))) {
    return {node.substr(dash + 1), node.substr(0, dash)};
  }
  const size_t at = node.rfind('_');
  if (at == std::string_view::npos || at == 0 || !IsNumber(node.substr(at + 1))) return {node, {}};
  return {node.substr(0, at), node.substr(at + 1)};
}

int64_t AheadUs(const HostClocks& clocks, std::string_view host) {
  for (const HostClock& clock : clocks) {
    const bool is_named = !clock.metrics.empty() && IsSameHost(clock.metrics, host);
    if (is_named || IsSameHost(clock.host, host)) return clock.ahead_us;
  }
  return 0;
}

int64_t FarthestUs(const HostClocks& clocks) {
  int64_t farthest = 0;
  for (const HostClock& clock : clocks) farthest = std::max(farthest, std::abs(clock.ahead_us));
  return farthest;
}

std::string WordsOf(const HostClock& clock) {
  const int64_t distance = std::abs(clock.ahead_us);
  // The error in the same unit, unless it would be 0 in that.
  const int64_t unit = UnitOf(distance);
  const bool is_small = clock.error_us < unit / (unit == kSecond ? 100 : 10);
  return fmt::format("clock of {} moved by {}{} ± {}", clock.host, clock.ahead_us > 0 ? "−" : "+",
                     Length(distance, unit),
                     Length(clock.error_us, is_small ? UnitOf(clock.error_us) : unit));
}

bool HasSeveralHosts(const std::string& folder) {
  std::set<std::string, std::less<>> traced;
  for (const TraceFile& file : TraceFiles(folder, {}, kTimeBufferUs, /*unfinished=*/true, {})) {
    traced.emplace(SplitNode(file.node).first);
  }
  std::set<std::string> measured;
  for (const std::string& key : ListFolder(folder, format::kSystemPrefix)) {
    if (const auto name = format::ParseMetricFileKey(key)) measured.insert(name->node);
  }
  return traced.size() > 1 || measured.size() > 1;
}

}  // namespace warden::timeline
