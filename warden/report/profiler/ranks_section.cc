// What each worker of a distributed training spends its steps on, and who waits for whom.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "warden/report/charts.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

using view::Rank;

constexpr size_t kShownRanks = 32;

std::string Milliseconds(const std::optional<double>& seconds) {
  return seconds ? Fixed(1000 * *seconds, 1) : "–";
}

// The part of a step that it waits for the others.
std::optional<double> WaitingShare(const Rank& rank) {
  if (!rank.step || !rank.exchange || *rank.step <= 0) return std::nullopt;
  return std::min(*rank.exchange / *rank.step, 1.0);
}

std::string ClockOf(const Rank& rank, bool is_first) {
  if (!rank.clock) return "–";
  if (is_first) return "reference";
  return fmt::format("{}{} ± {}", rank.clock->seconds < 0 ? "−" : "+",
                     Duration(std::abs(rank.clock->seconds)), Duration(rank.clock->error));
}

Paragraph Verdict(const std::vector<Rank>& ranks) {
  const auto slow = std::ranges::find_if(ranks, &Rank::slow);
  if (slow != ranks.end()) {
    double most = 0;
    for (const Rank& rank : ranks) most = std::max(most, WaitingShare(rank).value_or(0));
    const std::string where = slow->host.empty() ? "" : fmt::format(" on {}", slow->host);
    return {fmt::format("{}{} is slower than the others: its part of a step takes {}. The others "
                        "wait for it, up to {} of a step.",
                        slow->worker, where, Duration(*slow->own), Percent(100 * most)),
            Tone::kWarning};
  }
  if (std::ranges::count_if(ranks, [](const Rank& rank) { return rank.own.has_value(); }) > 1) {
    return {"No rank is slower than the others.", Tone::kGood};
  }
  return {
      "How long ranks wait for each other is not known. It is measured where "
      "DistributedDataParallel averages gradients on CPUs.",
      Tone::kQuiet};
}

}  // namespace

Section RanksSection(const std::vector<Rank>& ranks, const std::vector<view::RankMap>& maps) {
  Section section = {.id = "ranks", .title = "Ranks"};
  section.text.push_back(Verdict(ranks));
  Table table = {.caption = "Time by rank: medians over steps, in ms",
                 .columns = {"rank", "host", "steps", "step time", "own work", "waits for others",
                             "share waiting", "waits for data", "clock"},
                 .rows = {},
                 .numeric = {false, false, true, true, true, true, true, true, false},
                 .shown = kShownRanks};
  for (const Rank& rank : ranks) {
    const auto share = WaitingShare(rank);
    table.rows.push_back({rank.slow ? rank.worker + " (slow)" : rank.worker,
                          rank.host.empty() ? "–" : rank.host, Count(rank.steps),
                          Milliseconds(rank.step), Milliseconds(rank.own),
                          Milliseconds(rank.exchange), share ? Percent(100 * *share) : "–",
                          Milliseconds(rank.loader), ClockOf(rank, &rank == ranks.data())});
  }
  section.tables.push_back(std::move(table));
  section.text.push_back(
      {"Clock: how far the clock of a rank is ahead of the first one's, from the moments at which "
       "gradients were averaged, and how far single moments are from that.",
       Tone::kQuiet});
  for (const view::RankMap& map : maps) {
    std::vector<HeatRow> rows;
    for (const view::RankMap::Row& row : map.rows) rows.push_back({row.worker, row.values});
    section.charts.push_back(StepMapChart(map.title, rows, map.steps, map.unit));
  }
  return section;
}

}  // namespace warden::report
