#include "warden/view/timeline/threads.h"

#include <cstdint>
#include <map>

namespace warden::view {
namespace {

int64_t FirstStart(const TimelineSnapshot& snapshot, TrackId track) {
  const std::vector<Row>& rows = snapshot.tracks[track].index->rows();
  return rows.empty() ? INT64_MAX : rows.front().StartOf(*snapshot.store, 0);
}

// The operators that go to the main thread of each process that has phases.
std::map<std::string, TrackId> MainOperators(const TimelineSnapshot& snapshot) {
  std::map<std::string, TrackId> found;
  for (const TrackId id : snapshot.order) {
    const TrackName& name = snapshot.tracks[id].name;
    if (name.kind != TrackKind::kOperators) continue;
    const auto [at, made] = found.try_emplace(name.node, id);
    if (!made && FirstStart(snapshot, id) < FirstStart(snapshot, at->second)) at->second = id;
  }
  return found;
}

}  // namespace

std::vector<TimelineThread> ThreadsOf(const TimelineSnapshot& snapshot) {
  const std::map<std::string, TrackId> operators = MainOperators(snapshot);
  std::vector<TimelineThread> threads;
  std::map<std::string, size_t> main;  // By node.
  for (const TrackId id : snapshot.order) {
    const TrackName& name = snapshot.tracks[id].name;
    const auto own = operators.find(name.node);
    const bool in_main =
        name.kind == TrackKind::kPhase || (name.kind == TrackKind::kOperators && own->second == id);
    if (in_main) {
      const auto [at, made] = main.try_emplace(name.node, threads.size());
      if (!made) {
        threads[at->second].tracks.push_back(id);
        continue;
      }
    }
    threads.push_back({name.node,
                       name.host,
                       name.process,
                       in_main ? "main thread" : name.name,
                       in_main ? TrackKind::kThread : name.kind,
                       in_main,
                       {id}});
  }
  return threads;
}

}  // namespace warden::view
