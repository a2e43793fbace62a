#include "warden/dashboard/timeline/timeline_endpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/dashboard/timeline/trace_export.h"
#include "warden/view/series/host_clock_reader.h"
#include "warden/view/timeline/flame.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/step_path.h"
#include "warden/view/timeline/timeline_answers.h"

namespace warden::dashboard {
namespace {

using view::RunTimeline;
using view::SpanWindow;
using view::TimelineSnapshot;
using view::TrackId;

using Snapshot = std::shared_ptr<const TimelineSnapshot>;

constexpr int64_t kMostWidth = 8192;

Result<std::shared_ptr<RunTimeline>> TimelineOf(OpenRun& run) {
  return run.View<RunTimeline>([](const RunPlaces& places) -> Result<std::shared_ptr<RunTimeline>> {
    if (places.profile.empty()) {
      return Status(Code::kNotFound, "this run has no profiler folder");
    }
    return std::make_shared<RunTimeline>(places.profile,
                                         [tensors = places.tensors, profile = places.profile] {
                                           return view::HostClocksOf(tensors, profile);
                                         });
  });
}

// from and to, in microseconds since the timeline's start; all of it where they are missing.
Result<SpanWindow> WindowOf(const Query& query, const TimelineSnapshot& snapshot) {
  const auto from = query.Number("from", 0);
  if (!from.ok()) return from.status();
  const auto to = query.Number("to", snapshot.Us(snapshot.end_ns) + 1);
  if (!to.ok()) return to.status();
  if (from.value() >= to.value()) {
    return Status(Code::kInvalid, fmt::format("from is {} and to is {}; to must be larger",
                                              from.value(), to.value()));
  }
  const auto at = [&](double us) {
    const double ns = us * 1e3 + static_cast<double>(snapshot.start_ns);
    if (ns <= static_cast<double>(view::kFirstNs)) return view::kFirstNs;
    if (ns >= static_cast<double>(view::kLastNs)) return view::kLastNs;
    return snapshot.start_ns + static_cast<int64_t>(std::llround(us * 1e3));
  };
  const SpanWindow window{at(from.value()), at(to.value())};
  if (window.from_ns < window.to_ns) return window;
  // Less than a nanosecond, or beyond all times.
  return SpanWindow{std::min(window.from_ns, view::kLastNs - 1),
                    std::min(window.from_ns, view::kLastNs - 1) + 1};
}

// "1,4,7", once or several times.
Result<std::vector<TrackId>> TracksOf(const Query& query) {
  std::vector<TrackId> tracks;
  for (const std::string& list : query.All("tracks")) {
    for (const std::string& text : SplitTrimmed(list, ',')) {
      if (text.empty()) continue;
      const auto id = ParseInt(text);
      if (!id || *id < 0 || *id > UINT16_MAX) {
        return Status(Code::kInvalid,
                      fmt::format("tracks has '{}'; expected track ids separated by commas", text));
      }
      tracks.push_back(static_cast<TrackId>(*id));
    }
  }
  std::sort(tracks.begin(), tracks.end());
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  return tracks;
}

// What most endpoints need.
struct Asked {
  std::shared_ptr<RunTimeline> timeline;
  Snapshot snapshot;
  SpanWindow window;
  std::vector<TrackId> tracks;
};

Result<Asked> Read(const RunRequest& request) {
  const auto timeline = TimelineOf(*request.run);
  if (!timeline.ok()) return timeline.status();
  Snapshot snapshot = timeline.value()->snapshot();
  const auto window = WindowOf(request.query, *snapshot);
  if (!window.ok()) return window.status();
  const auto tracks = TracksOf(request.query);
  if (!tracks.ok()) return tracks.status();
  return Asked{timeline.value(), std::move(snapshot), window.value(), tracks.value()};
}

http::Response AnswerTimeline(const RunRequest& request) {
  const auto timeline = TimelineOf(*request.run);
  if (!timeline.ok()) return ErrorAnswer(timeline.status());
  return JsonAnswer(TimelineJson(*timeline.value()->snapshot()));
}

http::Response AnswerSlices(const RunRequest& request) {
  const auto asked = Read(request);
  if (!asked.ok()) return ErrorAnswer(asked.status());
  const auto width = request.query.Int("width", 1, kMostWidth, 1000);
  if (!width.ok()) return ErrorAnswer(width.status());
  view::SlicesQuery query;
  query.window = asked.value().window;
  query.width = width.value();
  query.tracks = asked.value().tracks;
  return ColumnsAnswer(SlicesColumns(*asked.value().snapshot, query));
}

http::Response AnswerEvent(const RunRequest& request) {
  const auto asked = Read(request);
  if (!asked.ok()) return ErrorAnswer(asked.status());
  const TimelineSnapshot& snapshot = *asked.value().snapshot;
  if (const auto needed = request.query.Needed("id"); !needed.ok()) {
    return ErrorAnswer(needed.status());
  }
  const auto id = request.query.Int("id", 0, UINT32_MAX, 0);
  if (!id.ok()) return ErrorAnswer(id.status());
  if (static_cast<uint64_t>(id.value()) >= snapshot.events) {
    return ErrorAnswer(404, fmt::format("no event {}; the run has {} events, numbered from 0",
                                        id.value(), snapshot.events));
  }
  return JsonAnswer(
      EventJson(*asked.value().timeline, snapshot, static_cast<view::EventId>(id.value())));
}

http::Response AnswerArrows(const RunRequest& request) {
  const auto asked = Read(request);
  if (!asked.ok()) return ErrorAnswer(asked.status());
  const auto limit = request.query.Int("limit", 0, 20'000, 1000);
  if (!limit.ok()) return ErrorAnswer(limit.status());
  const Asked& what = asked.value();
  return ColumnsAnswer(ArrowsColumns(*what.snapshot, what.window, what.tracks, limit.value()));
}

http::Response AnswerSearch(const RunRequest& request) {
  const auto timeline = TimelineOf(*request.run);
  if (!timeline.ok()) return ErrorAnswer(timeline.status());
  const auto text = request.query.Needed("q");
  if (!text.ok()) return ErrorAnswer(text.status());
  const auto limit = request.query.Int("limit", 0, 10'000, 200);
  if (!limit.ok()) return ErrorAnswer(limit.status());
  const auto filter = view::SpanFilter::Parse(text.value());
  if (!filter.ok()) return ErrorAnswer(filter.status());
  return JsonAnswer(SearchJson(*timeline.value()->snapshot(), filter.value(), limit.value()));
}

http::Response AnswerStatistics(const RunRequest& request) {
  const auto asked = Read(request);
  if (!asked.ok()) return ErrorAnswer(asked.status());
  const auto limit = request.query.Int("limit", 0, 100'000, 1000);
  if (!limit.ok()) return ErrorAnswer(limit.status());
  const Asked& what = asked.value();
  return JsonAnswer(StatisticsJson(*what.snapshot, what.window, what.tracks, limit.value()));
}

http::Response AnswerFlame(const RunRequest& request) {
  const auto asked = Read(request);
  if (!asked.ok()) return ErrorAnswer(asked.status());
  const auto limit = request.query.Int("limit", 1, 10'000, 1000);
  if (!limit.ok()) return ErrorAnswer(limit.status());
  view::FlameQuery query{asked.value().window, asked.value().tracks};
  query.most = static_cast<size_t>(limit.value());
  const std::string by = request.query.Text("by");
  if (by == "process") {
    query.by = view::FlameBy::kProcess;
  } else if (by == "all") {
    query.by = view::FlameBy::kAll;
  } else if (!by.empty() && by != "thread") {
    return ErrorAnswer(400, fmt::format("by is '{}'; expected thread, process or all", by));
  }
  return JsonAnswer(FlameJson(*asked.value().snapshot, query));
}

// step, mode and node.
Result<view::StepQuery> StepOf(const Query& query) {
  view::StepQuery asked;
  asked.mode = query.Text("mode");
  asked.node = query.Text("node");
  if (query.Text("step").empty()) return asked;
  const auto step = query.Int("step", 0, INT64_MAX, 0);
  if (!step.ok()) return step.status();
  asked.step = step.value();
  return asked;
}

http::Response AnswerSteps(const RunRequest& request, int64_t usual_limit,
                           Result<Json> (*answer)(const TimelineSnapshot&, const view::StepQuery&,
                                                  size_t)) {
  const auto timeline = TimelineOf(*request.run);
  if (!timeline.ok()) return ErrorAnswer(timeline.status());
  const auto limit = request.query.Int("limit", 1, 10'000, usual_limit);
  if (!limit.ok()) return ErrorAnswer(limit.status());
  const auto query = StepOf(request.query);
  if (!query.ok()) return ErrorAnswer(query.status());
  const auto json = answer(*timeline.value()->snapshot(), query.value(), limit.value());
  return json.ok() ? JsonAnswer(json.value()) : ErrorAnswer(json.status());
}

http::Response AnswerPath(const RunRequest& request) {
  return AnswerSteps(request, 200, view::PathJson);
}

http::Response AnswerWaits(const RunRequest& request) {
  return AnswerSteps(request, 20, view::WaitsJson);
}

http::Response AnswerTrace(const RunRequest& request) {
  const RunPlaces places = request.run->places();
  if (places.profile.empty()) return ErrorAnswer(404, "this run has no profiler folder");
  return TraceAnswer(places.profile, places.name,
                     view::HostClocksOf(places.tensors, places.profile));
}

Json Live(OpenRun& run) {
  const auto timeline = TimelineOf(run);
  if (!timeline.ok()) return nullptr;
  const Snapshot snapshot = timeline.value()->snapshot();
  if (snapshot->events == 0) return nullptr;
  return Json{
      {"events", snapshot->events}, {"done", snapshot->done}, {"clocks", snapshot->clocks.size()}};
}

}  // namespace

RunEndpoints TimelineEndpoints() {
  return {.endpoints = {{"timeline", AnswerTimeline},
                        {"timeline/slices", AnswerSlices},
                        {"timeline/event", AnswerEvent},
                        {"timeline/arrows", AnswerArrows},
                        {"timeline/search", AnswerSearch},
                        {"timeline/statistics", AnswerStatistics},
                        {"timeline/flame", AnswerFlame},
                        {"timeline/path", AnswerPath},
                        {"timeline/waits", AnswerWaits},
                        {"timeline/trace.json.gz", AnswerTrace}},
          .live_event = "timeline",
          .live = Live};
}

}  // namespace warden::dashboard
