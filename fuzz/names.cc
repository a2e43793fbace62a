// The input as the name of a file, of a tensor, of a tag, of a type, of a mode and of a reduction.

#include <string>

#include "fuzz/check.h"
#include "warden/base/dtype.h"
#include "warden/base/reduction.h"
#include "warden/base/strings.h"
#include "warden/base/types.h"
#include "warden/format/event_message.h"
#include "warden/format/layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/format/reduction_tensor.h"

namespace warden::fuzz {
namespace {

void StepFile(std::string_view key) {
  const auto name = format::ParseStepFileName(key);
  if (!name) return;
  const std::string keys[] = {format::IndexFileKey(name->step, name->worker),
                              format::EventFileKey(name->step, name->worker)};
  for (const std::string& own : keys) {
    const auto again = format::ParseStepFileName(own);
    Check(again && again->step == name->step && again->worker == name->worker);
  }
}

void ManifestFile(std::string_view key) {
  const auto worker = format::ParseManifestKey(key);
  if (worker) Check(format::ParseManifestKey(format::ManifestKey(*worker)) == worker);
}

void MetricFile(std::string_view key) {
  const auto name = format::ParseMetricFileKey(key);
  if (!name) return;
  Check(key.starts_with(format::kSystemPrefix) && name->seconds >= 0);
  const std::string own = format::MetricFileKey(name->seconds, name->node);
  const auto again = format::ParseMetricFileKey(own);
  Check(again && again->finished && again->seconds == name->seconds && again->node == name->node);
}

void TimelineFile(std::string_view key) {
  const auto name = format::ParseTimelineFileKey(key);
  if (!name) return;
  Check(name->suffix.ends_with(".json") && (name->finished || name->end_us == 0));
  const std::string own = format::TimelineFileKey(name->end_us, name->node, name->suffix);
  const auto again = format::ParseTimelineFileKey(own);
  Check(again && again->finished && again->end_us == name->end_us);
  Check(again->suffix == name->suffix);
  // In "88-algo-1" the host is put first; a node that has it there stays.
  if (name->node.find("-algo") == std::string::npos) Check(again->node == name->node);
}

void Word(std::string_view name) {
  if (const auto dtype = ParseDType(name)) Check(DTypeName(*dtype) == name);
  if (const auto mode = ParseMode(name)) Check(ModeName(*mode) == Trim(name));
  if (const auto op = ParseReductionOp(name)) Check(ReductionOpName(*op) == name);
  if (const auto reduction = ParseReductionName(name)) {
    Check(warden::ReductionName(*reduction) == name);
  }
}

void ReductionName(std::string_view name) {
  const auto reduction = format::ParseReductionTensorName(name);
  if (!reduction) return;
  const std::string own =
      format::ReductionTensorName(reduction->reduction, reduction->tensor, /*strip_colons=*/false);
  const auto again = format::ParseReductionTensorName(own);
  Check(again && again->reduction == reduction->reduction && again->tensor == reduction->tensor);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::StepFile(text);
  warden::fuzz::ManifestFile(text);
  warden::fuzz::MetricFile(text);
  warden::fuzz::TimelineFile(text);
  warden::fuzz::Word(text);
  warden::fuzz::ReductionName(text);
  const std::string clean = warden::format::CleanTag(text);
  warden::fuzz::Check(warden::format::CleanTag(clean) == clean);
  return 0;
}
