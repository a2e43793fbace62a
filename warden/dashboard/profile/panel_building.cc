#include "warden/dashboard/profile/panel_building.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "warden/report/words.h"

namespace warden::dashboard {
namespace {

constexpr size_t kShownRows = 15;
constexpr size_t kMostRows = 300;
constexpr int kBins = 40;
constexpr double kMilliseconds = 1e3;

}  // namespace

report::Section EmptyPanel(std::string id, std::string title, std::string why) {
  report::Section section = {.id = std::move(id), .title = std::move(title)};
  section.text.push_back({std::move(why), report::Tone::kQuiet});
  return section;
}

std::vector<NamedSum> LongestFirst(const ProfileTally::Sums& sums) {
  std::vector<NamedSum> sorted(sums.begin(), sums.end());
  std::sort(sorted.begin(), sorted.end(), [](const NamedSum& a, const NamedSum& b) {
    return std::tie(b.second.total_us, a.first) < std::tie(a.second.total_us, b.first);
  });
  return sorted;
}

double TotalUs(const std::vector<NamedSum>& sums) {
  double total = 0;
  for (const NamedSum& one : sums) total += one.second.total_us;
  return total;
}

std::vector<report::Named> SecondsOf(const std::vector<NamedSum>& sums) {
  std::vector<report::Named> slices;
  for (const NamedSum& one : sums) slices.push_back({one.first, one.second.total_us / 1e6});
  return slices;
}

report::Table WorkTable(std::string caption, std::string what, const std::vector<NamedSum>& sums) {
  report::Table table = {
      .caption = std::move(caption),
      .columns = {std::move(what), "count", "total (ms)", "mean (µs)", "max (µs)", "share (%)"},
      .rows = {},
      .numeric = {false, true, true, true, true, true},
      .shown = kShownRows};
  const double total = TotalUs(sums);
  for (const auto& [name, sum] : sums) {
    if (table.rows.size() == kMostRows) break;
    const double share = total > 0 ? 100 * sum.total_us / total : 0;
    table.rows.push_back({name, report::Count(sum.count),
                          report::Fixed(sum.total_us / kMilliseconds, 3),
                          report::Fixed(sum.total_us / static_cast<double>(sum.count), 1),
                          report::Fixed(sum.max_us, 0), report::Fixed(share, 1)});
  }
  return table;
}

report::Table NestedTable(std::string caption, std::string what,
                          const std::vector<NamedSum>& sums) {
  report::Table table = {
      .caption = std::move(caption),
      .columns = {std::move(what), "count", "self (ms)", "total (ms)", "max (ms)", "share (%)"},
      .rows = {},
      .numeric = {false, true, true, true, true, true},
      .shown = kShownRows};
  double all_us = 0;
  for (const auto& [name, sum] : sums) all_us += sum.self_us;
  for (const auto& [name, sum] : sums) {
    if (table.rows.size() == kMostRows) break;
    const double share = all_us > 0 ? 100 * sum.self_us / all_us : 0;
    table.rows.push_back({name, report::Count(sum.count),
                          report::Fixed(sum.self_us / kMilliseconds, 3),
                          report::Fixed(sum.total_us / kMilliseconds, 3),
                          report::Fixed(sum.max_us / kMilliseconds, 3), report::Fixed(share, 1)});
  }
  return table;
}

report::Histogram TimesHistogram(const std::string& name, const rules::Distribution& seconds) {
  const rules::Histogram bins = rules::HistogramOf(seconds, kBins);
  report::Histogram histogram = {.name = name, .edges = {}, .shares = {}};
  for (const double edge : bins.edges) histogram.edges.emplace_back(edge * kMilliseconds);
  histogram.shares.assign(bins.shares.begin(), bins.shares.end());
  return histogram;
}

report::Table TimesTable(
    std::string caption, std::string what,
    const std::vector<std::pair<std::string, const rules::Distribution*>>& of) {
  report::Table table = {.caption = std::move(caption),
                         .columns = {std::move(what), "count", "mean (ms)", "p50 (ms)", "p95 (ms)",
                                     "p99 (ms)", "max (ms)"},
                         .rows = {},
                         .numeric = {false, true, true, true, true, true, true}};
  const auto ms = [](double seconds) { return report::Fixed(seconds * kMilliseconds, 3); };
  for (const auto& [name, times] : of) {
    if (times->empty()) continue;
    table.rows.push_back({name, report::Count(times->count()), ms(times->mean()),
                          ms(times->Quantile(0.5)), ms(times->Quantile(0.95)),
                          ms(times->Quantile(0.99)), ms(times->max())});
  }
  return table;
}

}  // namespace warden::dashboard
