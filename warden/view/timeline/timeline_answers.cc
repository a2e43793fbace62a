#include "warden/view/timeline/timeline_answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/view/timeline/links.h"
#include "warden/view/timeline/search.h"
#include "warden/view/timeline/short_name.h"
#include "warden/view/timeline/statistics.h"
#include "warden/view/wire/columns.h"

namespace warden::view {
namespace {

constexpr size_t kLongestArgs = size_t{256} << 10;
constexpr size_t kMostConnected = 1000;

double Microseconds(int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }

Json HitJson(const TimelineSnapshot& snapshot, EventId id) {
  const EventStore& store = *snapshot.store;
  return Json{{"id", id},
              {"name", ShortName(store.name(id))},
              {"track", store.track(id)},
              {"start", snapshot.Us(store.start(id))},
              {"duration", Microseconds(store.duration(id))}};
}

Json NamesJson(const TimelineSnapshot& snapshot, const std::vector<LabelId>& labels) {
  std::vector<uint8_t> told(snapshot.labels);
  Json names = Json::object();
  for (const LabelId label : labels) {
    if (told[label]) continue;
    told[label] = 1;
    // Straight to the end: each is new, and a search for it would take long where there are many.
    names.get_ref<Json::object_t&>().emplace_back(std::to_string(label),
                                                  ShortName(*snapshot.store->Text(label).name));
  }
  return names;
}

Json ArgsJson(const std::string& text) {
  if (text.empty()) return Json::object();
  if (text.size() > kLongestArgs) {
    return Json{{"…", fmt::format("arguments of {} bytes are too long to show", text.size())}};
  }
  const auto json = ParseJson(text);
  if (json.ok() && json.value().is_object()) return json.value();
  return Json{{"…", text.substr(0, kLongestName)}};
}

// What columns were made from: pages see when times count from another moment than they thought.
Json ColumnsHeader(const TimelineSnapshot& snapshot) {
  return Json{{"start", snapshot.start_ns / 1000}, {"events", snapshot.events}};
}

}  // namespace

Json TimelineJson(const TimelineSnapshot& snapshot) {
  Json tracks = Json::array();
  for (const TrackId id : snapshot.order) {
    const auto& [name, index] = snapshot.tracks[id];
    tracks.push_back({{"id", id},
                      {"host", ShortName(name.host)},
                      {"device", name.gpu ? "GPU" : "CPU"},
                      {"process", ShortName(name.process)},
                      {"name", ShortName(name.name)},
                      {"depth", index->rows().size()},
                      {"events", index->size()}});
  }
  Json json = {{"start", snapshot.start_ns / 1000},
               {"end", snapshot.end_ns / 1000},
               {"events", snapshot.events}};
  json["state"] = {
      {"done", snapshot.done}, {"read", snapshot.bytes_read}, {"total", snapshot.bytes_known}};
  json["tracks"] = std::move(tracks);
  json["clocks"] = Json::array();
  for (const timeline::HostClock& clock : snapshot.clocks) {
    json["clocks"].push_back({{"host", clock.host},
                              {"metrics", clock.metrics.empty() ? clock.host : clock.metrics},
                              {"moved", -clock.ahead_us},
                              {"error", clock.error_us},
                              {"text", timeline::WordsOf(clock)}});
  }
  json["problems"] = snapshot.problems;
  return json;
}

std::string SlicesColumns(const TimelineSnapshot& snapshot, const SlicesQuery& query) {
  const Slices slices = SlicesOf(snapshot, query);
  Json header = ColumnsHeader(snapshot);
  header["pixel"] = slices.pixel_us;
  header["cut"] = slices.cut;
  header["names"] = NamesJson(snapshot, slices.name);
  Columns columns;
  columns.Add("track", slices.track);
  columns.Add("depth", slices.depth);
  columns.Add("start", slices.start);
  columns.Add("duration", slices.duration);
  columns.Add("name", slices.name);
  columns.Add("count", slices.count);
  columns.Add("id", slices.id);
  return columns.Encode(header);
}

Json EventJson(const RunTimeline& timeline, const TimelineSnapshot& snapshot, EventId id) {
  const EventStore& store = *snapshot.store;
  const TrackIndex& index = *snapshot.tracks[store.track(id)].index;
  const size_t depth = index.PlaceOf(store, id).first;
  const auto found = timeline.ArgumentsOf(snapshot, id);
  Json json = HitJson(snapshot, id);
  json["category"] = ShortName(*store.Text(store.label(id)).category);
  json["depth"] = depth;
  json["self"] = Microseconds(index.SelfTime(store, depth, id));
  json["step"] = found && found->step >= 0 ? Json(found->step) : Json();
  json["args"] = ArgsJson(found ? found->args : "");
  Json connected = Json::array();
  for (const Link& link : snapshot.links->Of(store, id, kMostConnected)) {
    const bool is_launch = link.launch == id;
    Json other = HitJson(snapshot, is_launch ? link.run : link.launch);
    other["kind"] = is_launch ? "run" : "launch";
    connected.push_back(std::move(other));
  }
  json["connected"] = std::move(connected);
  return json;
}

std::string ArrowsColumns(const TimelineSnapshot& snapshot, const SpanWindow& window,
                          const std::vector<TrackId>& tracks, size_t most) {
  const EventStore& store = *snapshot.store;
  std::vector<uint8_t> wanted(snapshot.tracks.size(), tracks.empty() ? 1 : 0);
  for (const TrackId track : tracks) {
    if (track < wanted.size()) wanted[track] = 1;
  }
  size_t total = 0;
  const std::vector<Link> links = snapshot.links->In(
      store, window.from_ns, window.to_ns,
      [&](const Link& link) {
        return wanted[store.track(link.launch)] != 0 && wanted[store.track(link.run)] != 0;
      },
      most, &total);
  std::vector<uint32_t> from_track, to_track, from_id, to_id;
  std::vector<double> from_time, to_time;
  for (const Link& link : links) {
    from_track.push_back(store.track(link.launch));
    from_time.push_back(snapshot.Us(store.start(link.launch)));
    from_id.push_back(link.launch);
    to_track.push_back(store.track(link.run));
    to_time.push_back(snapshot.Us(store.start(link.run)));
    to_id.push_back(link.run);
  }
  Json header = ColumnsHeader(snapshot);
  header["total"] = total;
  Columns columns;
  columns.Add("from_track", from_track);
  columns.Add("from_time", from_time);
  columns.Add("to_track", to_track);
  columns.Add("to_time", to_time);
  columns.Add("from_id", from_id);
  columns.Add("to_id", to_id);
  return columns.Encode(header);
}

Json SearchJson(const TimelineSnapshot& snapshot, const SpanFilter& filter, size_t most) {
  const SearchResult found = Search(snapshot, filter, most);
  Json hits = Json::array();
  for (const EventId id : found.hits) hits.push_back(HitJson(snapshot, id));
  return Json{{"total", found.total}, {"hits", std::move(hits)}};
}

Json StatisticsJson(const TimelineSnapshot& snapshot, const SpanWindow& window,
                    const std::vector<TrackId>& tracks, size_t most) {
  const std::vector<NameTimes> all = TimesByName(snapshot, window, tracks);
  Json rows = Json::array();
  for (size_t i = 0; i < std::min(most, all.size()); ++i) {
    const NameTimes& times = all[i];
    const EventStore::Label& label = snapshot.store->Text(times.label);
    const double total = times.total_ns / 1e3;
    rows.push_back({{"name", ShortName(*label.name)},
                    {"category", ShortName(*label.category)},
                    {"count", times.count},
                    {"total", total},
                    {"self", times.self_ns / 1e3},
                    {"mean", total / static_cast<double>(times.count)},
                    {"max", Microseconds(times.longest_ns)}});
  }
  return Json{{"rows", std::move(rows)}, {"names", all.size()}};
}

}  // namespace warden::view
