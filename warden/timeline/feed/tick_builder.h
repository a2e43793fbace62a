#ifndef WARDEN_TIMELINE_FEED_TICK_BUILDER_H_
#define WARDEN_TIMELINE_FEED_TICK_BUILDER_H_

// Turns lines into samples. A monitor writes one line for each core, GPU and device, all with
// nearly the same time; rules want to know what the machine did at that time as a whole.

#include <cstdint>
#include <functional>
#include <vector>

#include "warden/format/metric_line.h"
#include "warden/timeline/names.h"
#include "warden/timeline/node_sample.h"

namespace warden::timeline {

// Puts the lines of a node that belong to one moment together into a NodeSample. A moment ends with
// a line that is more than 20 ms later or earlier than its first line, or that repeats one of it.
// Used by MetricStream. For one thread.
//
//   NodeSample done;
//   if (ticks.Add(line, &done)) Use(done);
//
// Cores become means, directions of network and disk become sums. A line that repeats one ends the
// moment because the next round has begun, however close in time. After 4096 lines a moment ends in
// any case, so that a file with one time in all of its lines cannot fill the memory.
class TickBuilder {
 public:
  // names: for the ids in samples; not owned, outlives this.
  explicit TickBuilder(Names* names) : names_(names) {}

  // Adds a line of the node. If it begins a new moment, the one before is put into *done first, and
  // true is returned. Lines that no sample has a member for only mark their moment. REQUIRES: all
  // lines are of one node.
  bool Add(const format::MetricLine& line, NodeSample* done);
  // Ends the moment in the making and puts it into *done; false if there is none. Call it when no
  // more lines are expected soon; a line of the same moment that comes later becomes its own
  // sample.
  bool Finish(NodeSample* done);
  bool empty() const { return keys_.empty(); }

 private:
  struct Mean {
    double sum = 0;
    int count = 0;
  };

  void Take(const format::MetricLine& line);
  GpuSample* Gpu(NameId name);

  Names* const names_;
  // Type, name and dimension of the lines so far, hashed: to find a repetition.
  std::vector<uint64_t> keys_;
  NodeSample sample_;
  Mean cpu_;
  Mean io_wait_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FEED_TICK_BUILDER_H_
