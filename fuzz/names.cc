// The input as the name of a file, of a tensor and of a tag.

#include <string>

#include "fuzz/check.h"
#include "warden/format/event_message.h"
#include "warden/format/layout.h"
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
  warden::fuzz::ReductionName(text);
  const std::string clean = warden::format::CleanTag(text);
  warden::fuzz::Check(warden::format::CleanTag(clean) == clean);
  return 0;
}
