#ifndef WARDEN_VIEW_TIMELINE_THREADS_H_
#define WARDEN_VIEW_TIMELINE_THREADS_H_

// Which tracks of a timeline belong to one thread: what a flame graph stacks, and what the critical
// path of a step walks along.

#include <string>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// A thread of a process, or a stream of a GPU, with its tracks from the outermost to the innermost.
struct TimelineThread {
  std::string node;  // As files name the process: "algo-1-88".
  std::string host;
  std::string process;  // "process 88".
  std::string name;     // "main thread", "thread 12", "stream 7", "DataLoaderWorker 1".
  TrackKind kind = TrackKind::kThread;
  bool main = false;  // Has the phases that hooks record.
  std::vector<TrackId> tracks;
};

// All threads, in the order of the tracks; each track is in one of them. A hook records phases
// apart from operators: the phases of a process, and the operators of the thread that began first,
// which is the one that runs the training loop, are its main thread. Other tracks are a thread
// each.
std::vector<TimelineThread> ThreadsOf(const TimelineSnapshot& snapshot);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_THREADS_H_
