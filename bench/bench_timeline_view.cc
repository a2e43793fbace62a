// Reads a timeline as the dashboard does and asks for what its pages ask for.
//   bench_timeline_view FOLDER [--rounds N]
// FOLDER: a profiler's, such as make_long_timeline.py writes.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/span_filter.h"
#include "warden/view/timeline/timeline_answers.h"

namespace warden::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Of this thread's processor time, so that others on the machine do not count.
double Milliseconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  const double begin = now();
  work();
  return now() - begin;
}

void Tell(const std::string& what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  fmt::print("{:<44} p50 {:8.2f} ms   p99 {:8.2f} ms\n", what, times[times.size() / 2],
             times[times.size() * 99 / 100]);
}

// Resident now and at most, in MB.
std::string Memory() {
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return fmt::format("resident {} MB, at most {} MB", pages * 4096 / 1'000'000,
                     usage.ru_maxrss * 1024 / 1'000'000);
}

void BenchSlices(const view::TimelineSnapshot& snapshot, int rounds) {
  std::mt19937 random(1);
  const int64_t length = snapshot.end_ns - snapshot.start_ns;
  for (const double share : {1.0, 0.1, 0.01, 0.001, 0.0001}) {
    std::vector<double> times;
    size_t slices = 0;
    for (int i = 0; i < rounds; ++i) {
      view::SlicesQuery query;
      const auto part = static_cast<int64_t>(static_cast<double>(length) * share);
      const int64_t room = std::max<int64_t>(length - part, 1);
      query.window.from_ns =
          snapshot.start_ns + static_cast<int64_t>(static_cast<double>(random()) / 4294967296.0 *
                                                   static_cast<double>(room));
      query.window.to_ns = query.window.from_ns + part;
      query.width = 1500;
      times.push_back(Milliseconds([&] { view::SlicesColumns(snapshot, query); }));
      slices = std::max(slices, view::SlicesOf(snapshot, query).size());
    }
    Tell(fmt::format("slices of {:g} of it, at most {}", share, slices), times);
  }
}

void Bench(const std::string& folder, int rounds) {
  const auto begin = Clock::now();
  const view::RunTimeline timeline(folder);
  const auto snapshot = timeline.WaitUntilRead();
  fmt::print("read {} events on {} tracks with {} links in {:.1f} s; {}\n", snapshot->events,
             snapshot->tracks.size(), snapshot->links->size(),
             std::chrono::duration<double>(Clock::now() - begin).count(), Memory());
  if (snapshot->events == 0) return;
  BenchSlices(*snapshot, rounds);
  const auto many = [&](const std::string& what, const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(Milliseconds(work));
    Tell(what, times);
  };
  const view::SpanWindow all{snapshot->start_ns, snapshot->end_ns};
  for (const std::string text : {"conv", "kernel_17", "e", "nothing like it"}) {
    const view::SpanFilter filter = view::SpanFilter::Parse(text).value();
    many(fmt::format("search for '{}'", text),
         [&] { view::SearchJson(*snapshot, filter, 200).dump(); });
  }
  many("statistics of everything", [&] { view::StatisticsJson(*snapshot, all, {}, 1000).dump(); });
  many("1000 arrows of everything", [&] { view::ArrowsColumns(*snapshot, all, {}, 1000); });
  std::mt19937 random(1);
  many("an event with its arguments", [&] {
    view::EventJson(timeline, *snapshot, static_cast<uint32_t>(random() % snapshot->events));
  });
  fmt::print("{}\n", Memory());
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  CLI::App app("Reads a timeline as the dashboard does.");
  std::string folder;
  int rounds = 100;
  app.add_option("folder", folder)->required();
  app.add_option("--rounds", rounds)->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  warden::bench::Bench(folder, rounds);
  return 0;
}
