#ifndef WARDEN_VIEW_TIMELINE_FLAME_H_
#define WARDEN_VIEW_TIMELINE_FLAME_H_

// A flame graph: the stacks of spans of a part of a timeline, added up. Spans with the same name
// within the same spans are one node. Used by the dashboard and by `warden timeline flame`.
//
//   const Flame flame = FlameOf(*snapshot, {.window = {from_ns, to_ns}});
//   for (const FlameNode& node : flame.nodes) Draw(flame.Name(*snapshot, node), node.total_ns);

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/view/timeline/snapshot.h"
#include "warden/view/timeline/threads.h"

namespace warden::view {

// What a node stands for.
enum class FlameKind : uint8_t {
  kAll,      // The root.
  kProcess,  // FlameNode::what is a thread of it.
  kThread,   // what: a number in Flame::threads.
  kSpan,     // what: a LabelId.
  kOther,    // Small nodes together; what: how many.
};

// All spans of one stack.
struct FlameNode {
  FlameKind kind = FlameKind::kAll;
  uint32_t parent = 0;  // Its number in Flame::nodes; of the root, 0.
  uint32_t what = 0;
  uint64_t count = 0;   // Spans; of the upper three kinds, those right below.
  double total_ns = 0;  // With everything within them.
  double self_ns = 0;   // Without.
};

// What stacks begin with.
enum class FlameBy : uint8_t {
  kThread,   // Process, then thread.
  kProcess,  // Process; the same stack on several threads is one node.
  kAll,      // The same stack anywhere is one node.
};

// What to add up.
struct FlameQuery {
  SpanWindow window = {};
  std::vector<TrackId> tracks = {};  // Threads that have one of these; all if empty.
  FlameBy by = FlameBy::kThread;
  // Nodes at most; the smaller ones of each parent are put together into one more.
  size_t most = 1000;
};

// A flame graph. Parents come before their children, which are in the order of their times, the
// longest first, then kOther.
struct Flame {
  std::vector<FlameNode> nodes;         // The root first; never empty.
  std::vector<TimelineThread> threads;  // Of the whole timeline.
  uint64_t merged = 0;                  // Nodes that were put together.

  // "aten::mm", "main thread", "12 others".
  std::string Name(const TimelineSnapshot& snapshot, const FlameNode& node) const;
};

// Looks at each event of the window once, in memory that does not grow with them: at most 200,000
// stacks are kept separate, and later ones count as kOther of the node above them. Safe for many
// threads.
Flame FlameOf(const TimelineSnapshot& snapshot, const FlameQuery& query);

// For the page and scripts; times in microseconds. docs/reference/dashboard_api.md describes it.
Json FlameJson(const TimelineSnapshot& snapshot, const FlameQuery& query);

// Lines "process;thread;aten::mm 123" with self times in whole microseconds, as other tools for
// flame graphs read them. Semicolons and line ends in names become commas and spaces.
std::string CollapsedStacks(const TimelineSnapshot& snapshot, const Flame& flame);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_FLAME_H_
