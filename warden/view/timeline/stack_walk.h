#ifndef WARDEN_VIEW_TIMELINE_STACK_WALK_H_
#define WARDEN_VIEW_TIMELINE_STACK_WALK_H_

// What a thread did as a stack of spans that changes over time. The flame graph adds it up; the
// critical path of a step cuts it into pieces.

#include <cstdint>
#include <span>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// Gets the stack of a thread as it changes, in the order of time.
class StackVisitor {
 public:
  virtual ~StackVisitor() = default;
  // A span begins within those that were entered before. first: false where it continues after the
  // end of another that it overlaps.
  virtual void Enter(EventId id, bool first) = 0;
  // The innermost span ends.
  virtual void Leave() = 0;
  // The innermost span ran from one moment to another, later one. Not called while there is none.
  virtual void Run(int64_t from_ns, int64_t to_ns) = 0;
};

// Beyond that, spans count as part of those around them.
inline constexpr size_t kMostStack = 128;

// Walks over the events of some tracks as if they were of one thread: what lies within another is
// above it on the stack, whichever tracks they are of. Where spans overlap without one lying in the
// other, the later one is divided where the earlier one ends, so that no time counts twice. Only
// the part in the window counts. Takes no memory for events; time O(n log rows). tracks: outermost
// first, for spans that take the same time; unknown ones are ignored.
void WalkStacks(const TimelineSnapshot& snapshot, std::span<const TrackId> tracks,
                const SpanWindow& window, StackVisitor* visitor);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_STACK_WALK_H_
