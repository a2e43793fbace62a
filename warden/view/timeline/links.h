#ifndef WARDEN_VIEW_TIMELINE_LINKS_H_
#define WARDEN_VIEW_TIMELINE_LINKS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "warden/view/timeline/event_store.h"

namespace warden::view {

// What was launched, and by what.
struct Link {
  EventId launch = 0;
  EventId run = 0;
};

// All links that are known. Does not change once it is made.
class LinkTable {
 public:
  LinkTable() = default;
  LinkTable(const EventStore& store, std::vector<Link> links);

  size_t size() const { return links_.size(); }
  std::span<const Link> links() const { return links_; }  // By the launches' starts.
  // Those of an event on either side, at most that many.
  std::vector<Link> Of(const EventStore& store, EventId id, size_t most) const;
  // Those that begin or end in the window; `total` counts also those beyond `most`, of which every
  // n-th is told so that they lie evenly.
  std::vector<Link> In(const EventStore& store, int64_t from_ns, int64_t to_ns,
                       const std::function<bool(const Link&)>& wanted, size_t most,
                       size_t* total) const;

 private:
  std::vector<Link> links_;
  std::vector<uint32_t> by_run_;  // Places in links_, by the runs' ids.
  int64_t longest_ns_ = 0;        // From the beginning of a launch to that of its run.
};

// Finds out what belongs together while events are read, in whichever order they come. For one
// thread.
class LinkFinder {
 public:
  // An operator that a kernel names, which may have been read already, or not yet.
  struct Wanted {
    EventId run = 0;
    timeline::NameId node = 0;
    timeline::NameId name = 0;  // 0: not said.
    int64_t thread = 0;
    int64_t start_ns = 0;
  };
  using FindLaunch = std::function<bool(const Wanted&, EventId*)>;

  // Correlations count anew in each file.
  void BeginFile();
  void AddCorrelated(EventId id, bool on_gpu, int64_t correlation);
  void AddNamed(const Wanted& wanted);

  // The links that were found since. What a kernel names and cannot be found is tried a few times.
  std::vector<Link> Take(const FindLaunch& find);

 private:
  struct Try {
    Wanted wanted;
    int times = 0;
  };

  // By correlation. One launch may run many.
  std::unordered_map<int64_t, EventId> launches_;
  std::unordered_multimap<int64_t, EventId> waiting_;  // Runs that came before their launches.
  std::deque<Try> named_;  // So many that a vector would waste as much again.
  std::vector<Link> found_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_LINKS_H_
