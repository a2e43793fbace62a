#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warden/base/json.h"
#include "warden/view/timeline/short_name.h"
#include "warden/view/timeline/step_path.h"

namespace warden::view {
namespace {

constexpr size_t kMostSteps = 200;

double InUs(double ns) { return ns / 1e3; }

Json StepJson(const TimelineSnapshot& snapshot, const StepSpan& step) {
  return Json{{"id", step.id},
              {"step", step.step},
              {"start", snapshot.Us(step.start_ns)},
              {"duration", InUs(static_cast<double>(step.duration_ns))}};
}

// Which steps there are: enough to choose one.
Json StepListsJson(const TimelineSnapshot& snapshot, const std::vector<StepList>& lists) {
  Json json = Json::array();
  for (const StepList& list : lists) {
    const auto [first, last] =
        std::minmax_element(list.steps.begin(), list.steps.end(),
                            [](const StepSpan& a, const StepSpan& b) { return a.step < b.step; });
    const auto slowest = std::max_element(
        list.steps.begin(), list.steps.end(),
        [](const StepSpan& a, const StepSpan& b) { return a.duration_ns < b.duration_ns; });
    json.push_back({{"mode", ShortName(list.mode)},
                    {"node", ShortName(list.node)},
                    {"count", list.steps.size()},
                    {"first", first->step},
                    {"last", last->step},
                    {"slowest", StepJson(snapshot, *slowest)}});
  }
  return json;
}

const StepList* ListOf(const std::vector<StepList>& lists, EventId step) {
  for (const StepList& list : lists) {
    for (const StepSpan& one : list.steps) {
      if (one.id == step) return &list;
    }
  }
  return nullptr;
}

Json PieceJson(const TimelineSnapshot& snapshot, const PathPiece& piece) {
  const EventStore& store = *snapshot.store;
  const TrackId track = store.track(piece.id);
  return Json{{"id", piece.id},
              {"name", ShortName(store.name(piece.id))},
              {"track", track},
              {"depth", snapshot.tracks[track].index->PlaceOf(store, piece.id).first},
              {"start", snapshot.Us(piece.start_ns)},
              {"duration", InUs(static_cast<double>(piece.end_ns - piece.start_ns))},
              {"kind", NameOf(piece.kind)},
              {"count", piece.count},
              {"then", WordsOf(piece.link)}};
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Times by what they were spent on, of several steps.
class WaitTally {
 public:
  void Add(const TimelineSnapshot& snapshot, const StepPath& path) {
    durations_.push_back(static_cast<double>(path.step.duration_ns));
    for (size_t i = 0; i < kPathKinds; ++i) kinds_[i].push_back(path.ns[i]);
    for (const PathPiece& piece : path.pieces) {
      // The launch delay does not count as time of the kernel.
      if (piece.kind == PathKind::kLaunch) continue;
      const std::string& name = snapshot.store->name(piece.id);
      auto& steps = names_[{IsTorchStep(name) ? "ProfilerStep" : name, piece.kind}];
      if (steps.empty() || steps.back().first != durations_.size()) {
        steps.emplace_back(durations_.size(), 0.0);
      }
      steps.back().second += static_cast<double>(piece.end_ns - piece.start_ns);
    }
    for (const std::string& note : path.notes) ++notes_[note];
  }

  Json ToJson(size_t most) const {
    const double whole = Median(durations_);
    Json kinds = Json::array();
    for (size_t i = 0; i < kPathKinds; ++i) {
      const double ns = Median(kinds_[i]);
      if (std::all_of(kinds_[i].begin(), kinds_[i].end(), [](double one) { return one == 0; })) {
        continue;
      }
      kinds.push_back({{"kind", NameOf(static_cast<PathKind>(i))},
                       {"median", InUs(ns)},
                       {"share", whole > 0 ? ns / whole : 0.0}});
    }
    Json notes = Json::array();
    for (const auto& [note, steps] : notes_) notes.push_back({{"text", note}, {"steps", steps}});
    return Json{{"duration", InUs(whole)},
                {"kinds", std::move(kinds)},
                {"names", NamesJson(most, whole)},
                {"notes", std::move(notes)}};
  }

 private:
  Json NamesJson(size_t most, double whole) const {
    struct Row {
      const std::string* name;
      PathKind kind;
      double median;
    };
    std::vector<Row> rows;
    for (const auto& [key, steps] : names_) {
      // Steps without it count as 0.
      std::vector<double> values(durations_.size() - steps.size());
      for (const auto& [step, ns] : steps) values.push_back(ns);
      const double median = Median(std::move(values));
      if (median > 0) rows.push_back({&key.first, key.second, median});
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return a.median != b.median ? a.median > b.median : *a.name < *b.name;
    });
    Json json = Json::array();
    for (size_t i = 0; i < std::min(most, rows.size()); ++i) {
      json.push_back({{"name", ShortName(*rows[i].name)},
                      {"kind", NameOf(rows[i].kind)},
                      {"median", InUs(rows[i].median)},
                      {"share", whole > 0 ? rows[i].median / whole : 0.0}});
    }
    return json;
  }

  std::vector<double> durations_;
  std::array<std::vector<double>, kPathKinds> kinds_;
  // By the number of the step, counted from 1.
  std::map<std::pair<std::string, PathKind>, std::vector<std::pair<size_t, double>>> names_;
  std::map<std::string, size_t> notes_;
};

}  // namespace

Result<Json> PathJson(const TimelineSnapshot& snapshot, const StepQuery& query, size_t most) {
  const auto found = FindStep(snapshot, query);
  if (!found.ok()) return found.status();
  const StepPath path = PathOf(snapshot, found.value());
  const std::vector<StepList> lists = StepsOf(snapshot);
  const StepList* list = ListOf(lists, path.step.id);
  Json json = StepJson(snapshot, path.step);
  json["mode"] = list != nullptr ? ShortName(list->mode) : "";
  json["node"] = list != nullptr ? ShortName(list->node) : "";
  const auto duration = static_cast<double>(path.step.duration_ns);
  Json kinds = Json::array();
  for (size_t i = 0; i < kPathKinds; ++i) {
    if (path.ns[i] <= 0) continue;
    kinds.push_back({{"kind", NameOf(static_cast<PathKind>(i))},
                     {"time", InUs(path.ns[i])},
                     {"share", path.ns[i] / duration}});
  }
  json["kinds"] = std::move(kinds);
  Json pieces = Json::array();
  for (const PathPiece& piece : Shortened(path.pieces, most)) {
    pieces.push_back(PieceJson(snapshot, piece));
  }
  json["pieces"] = std::move(pieces);
  json["all_pieces"] = path.pieces.size();
  json["notes"] = path.notes;
  json["steps"] = StepListsJson(snapshot, lists);
  return json;
}

Result<Json> WaitsJson(const TimelineSnapshot& snapshot, const StepQuery& query, size_t most) {
  const auto found =
      FindStep(snapshot, {.step = std::nullopt, .mode = query.mode, .node = query.node});
  if (!found.ok()) return found.status();
  const std::vector<StepList> lists = StepsOf(snapshot);
  const StepList* list = ListOf(lists, found.value().id);
  WaitTally tally;
  const size_t steps = std::min(kMostSteps, list->steps.size());
  for (size_t i = 0; i < steps; ++i) {
    tally.Add(snapshot, PathOf(snapshot, list->steps[i * list->steps.size() / steps]));
  }
  Json json = tally.ToJson(most);
  json["mode"] = ShortName(list->mode);
  json["node"] = ShortName(list->node);
  json["steps"] = list->steps.size();
  json["looked_at"] = steps;
  return json;
}

}  // namespace warden::view
