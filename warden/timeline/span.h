#ifndef WARDEN_TIMELINE_SPAN_H_
#define WARDEN_TIMELINE_SPAN_H_

#include <cstdint>
#include <string_view>

#include "warden/timeline/names.h"

namespace warden::timeline {

// Where a span was recorded.
enum class Source : uint8_t {
  kPython,  // pythontimeline: our hook, or the original's.
  kModel,   // model_timeline: a framework's own.
  kHorovod,
  kDataParallel,  // smdataparallel_timeline.
  kTensorFlow,    // TensorFlow's detailed profiling.
  kOther,
};
// As the original's readers call it: "PythontimelineMetrics".
std::string_view SourceName(Source source);

// A piece of work: something that a thread, a device or a worker did from one moment to another.
struct Span {
  NameId name = 0;   // "aten::conv2d", or the layer's name where the event has one.
  NameId phase = 0;  // What it is part of: "Step:ModeKeys.TRAIN", "Forward", "cpu_functions".
  NameId node = 0;   // "algo-1-88": the host, then the process or rank.
  Source source = Source::kOther;
  int8_t pinned = -1;        // Whether a data loader pins memory; -1: not said.
  int32_t worker = -1;       // Of a data loader; -1: of none.
  int32_t num_workers = -1;  // Of that loader; -1: not said.
  int64_t start_us = 0;      // Since 1970.
  int64_t duration_us = 0;
  int64_t step = -1;  // In its mode; -1: not said.
  int64_t pid = 0;    // The system's, as far as it is known; else the phase's number.
  int64_t tid = 0;
  int64_t bytes = -1;  // That were fetched; -1: not said.

  int64_t end_us() const { return start_us + duration_us; }
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SPAN_H_
