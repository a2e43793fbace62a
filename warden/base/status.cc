#include "warden/base/status.h"

#include <fmt/format.h>

namespace warden {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kOk: return "Ok";
    case Code::kNotFound: return "NotFound";
    case Code::kExists: return "Exists";
    case Code::kTruncated: return "Truncated";
    case Code::kCorrupt: return "Corrupt";
    case Code::kInvalid: return "Invalid";
    case Code::kInvalidType: return "InvalidType";
    case Code::kUnavailable: return "Unavailable";
    case Code::kIo: return "Io";
    case Code::kInvalidCollection: return "InvalidCollectionConfiguration";
    case Code::kMissingCollectionFiles: return "MissingCollectionFiles";
    case Code::kBadIndex: return "IndexReaderException";
    case Code::kTensorUnavailable: return "TensorUnavailable";
    case Code::kTensorUnavailableForStep: return "TensorUnavailableForStep";
    case Code::kShapeUnavailableForStep: return "ShapeUnavailableForStep";
    case Code::kStepUnavailable: return "StepUnavailable";
    case Code::kStepNotYetAvailable: return "StepNotYetAvailable";
    case Code::kNoMoreData: return "NoMoreData";
    case Code::kInvalidWorker: return "InvalidWorker";
  }
  return "Unknown";
}

Status Status::WithContext(std::string_view context) const {
  if (ok()) return *this;
  return Status(code_, fmt::format("{}: {}", context, message_));
}

}  // namespace warden
