#include "warden/timeline/span.h"

namespace warden::timeline {

std::string_view SourceName(Source source) {
  switch (source) {
    case Source::kPython: return "PythontimelineMetrics";
    case Source::kModel: return "DetailedframeworkMetrics";
    case Source::kHorovod: return "";
    case Source::kDataParallel: return "SMDataParallelMetrics";
    case Source::kTensorFlow: return "TFProfilerMetrics";
    case Source::kOther: return "";
  }
  return "";
}

}  // namespace warden::timeline
