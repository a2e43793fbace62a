#ifndef WARDEN_TIMELINE_SPAN_H_
#define WARDEN_TIMELINE_SPAN_H_

// A span of work on the timeline, as all readers of traces return it: feeds, tables, summaries and
// the profiler rules work with it.

#include <cstdint>
#include <string_view>

#include "warden/timeline/names.h"

namespace warden::timeline {

// Who recorded a span. The Python package gets the numbers as indexes into the list of SourceName.
// Rules tell Horovod's spans from others by it; pairs of begin and end events are matched by phase,
// except for kOther, where it is by thread.
enum class Source : uint8_t {
  kPython,        // pythontimeline: our hook, or the original's.
  kModel,         // model_timeline: a framework's own.
  kHorovod,       // Horovod's own timeline.
  kDataParallel,  // smdataparallel_timeline.
  kTensorFlow,    // TensorFlow's detailed profiling.
  kOther,         // Any other trace, such as one of torch.profiler.
};
// As the original's readers call it: "PythontimelineMetrics"; "" where they have no name. Valid for
// the life of the process.
std::string_view SourceName(Source source);

// A piece of work: something that a thread, a device or a worker did from one moment to another.
// NameIds are of the Names that came with the span. A plain value; files may contain any times, so
// check them before computing with them (rules: IsUsable).
struct Span {
  // "aten::conv2d", or the layer's name where the event has one. 0 if the reader was asked not to
  // collect names.
  NameId name = 0;
  NameId phase = 0;  // What it is part of: "Step:ModeKeys.TRAIN", "Forward", "cpu_functions".
  NameId node = 0;   // "algo-1-88": the host, then the process or rank.
  Source source = Source::kOther;
  int8_t pinned = -1;        // Whether a data loader pins memory; -1: not said.
  int32_t worker = -1;       // Of a data loader; -1: of none.
  int32_t num_workers = -1;  // Of that loader; -1: not said.
  int64_t start_us = 0;      // Since 1970.
  int64_t duration_us = 0;   // Never negative, as readers hand it out.
  // Counted in its mode, as the hook does; -1: not said.
  int64_t step = -1;
  // The system's process ID where the event says it, otherwise the number that the file gives to
  // the phase. Compare it within one node only.
  int64_t pid = 0;
  // The system's where it is known; otherwise made from node, number and phase, see StableThreadId.
  // Not a small number then.
  int64_t tid = 0;
  int64_t bytes = -1;  // That were fetched; -1: not said.

  int64_t end_us() const { return start_us + duration_us; }
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SPAN_H_
