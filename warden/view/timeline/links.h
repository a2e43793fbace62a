#ifndef WARDEN_VIEW_TIMELINE_LINKS_H_
#define WARDEN_VIEW_TIMELINE_LINKS_H_

// Connections between events: the kernel or copy on a GPU, and the operator or call that launched
// it. LinkFinder finds them while traces are read; LinkTable answers questions about them.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "warden/view/timeline/event_store.h"

namespace warden::view {

// What was launched, and by what. One launch may run several kernels; each kernel has one launch.
struct Link {
  EventId launch = 0;  // On a CPU.
  EventId run = 0;     // On a GPU.
};

// All links that are known. Does not change once it is made, so it is safe for many threads.
// `store` is the same in all calls, and is not kept.
class LinkTable {
 public:
  LinkTable() = default;
  // links: in any order. Sorts them: O(n log n).
  LinkTable(const EventStore& store, std::vector<Link> links);

  size_t size() const { return links_.size(); }
  // By the launches' starts. Valid as long as the table.
  std::span<const Link> links() const { return links_; }
  // Those of an event on either side, at most `most`.
  std::vector<Link> Of(const EventStore& store, EventId id, size_t most) const;
  // Those of which an event overlaps [from_ns, to_ns) and that `wanted` accepts, at most `most`.
  // *total counts all of them; if there are more, every n-th is returned, so that they lie evenly.
  // Takes time in proportion to the links that begin in the window, or shortly before it: as much
  // earlier as the longest wait between any launch and its run.
  std::vector<Link> In(const EventStore& store, int64_t from_ns, int64_t to_ns,
                       const std::function<bool(const Link&)>& wanted, size_t most,
                       size_t* total) const;

 private:
  std::vector<Link> links_;
  std::vector<uint32_t> by_run_;  // Places in links_, by the runs' ids.
  int64_t longest_ns_ = 0;        // From the beginning of a launch to that of its run.
};

// Finds out what belongs together while events are read, in whichever order they come. Used by
// TimelineBuilder. Memory grows with what is not yet connected. For one thread.
//
// Two ways lead from a kernel to its launch. Frameworks' own traces give both the same correlation
// number, unique within one file; hooks write the operator's thread and start into the kernel's
// arguments, and the operator may be written later.
class LinkFinder {
 public:
  // An operator that a kernel names, which may have been read already, or not yet.
  struct Wanted {
    EventId run = 0;
    timeline::NameId node = 0;
    timeline::NameId name = 0;  // 0: not said.
    int64_t thread = 0;         // That the operator ran on.
    int64_t start_ns = 0;       // When it began.
  };
  // Looks for the operator among what was read; false if it is not there.
  using FindLaunch = std::function<bool(const Wanted&, EventId*)>;

  // A framework's own trace begins: correlations are unique within a file only.
  void BeginFile();
  // An event with a correlation: a launch, or what it ran if on_gpu.
  void AddCorrelated(EventId id, bool on_gpu, int64_t correlation);
  // A kernel that names its operator.
  void AddNamed(const Wanted& wanted);

  // The links that were found since the last call. Operators that are not found are looked for
  // again in the next three calls.
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
