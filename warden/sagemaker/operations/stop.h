#ifndef WARDEN_SAGEMAKER_OPERATIONS_STOP_H_
#define WARDEN_SAGEMAKER_OPERATIONS_STOP_H_

// What operations on jobs in the wrong status answer. StopTrainingJob itself is in operations.h.

#include <string_view>

#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker::operations {

// "The request was rejected because the training job is in status Stopped.": for operations that a
// job's status does not allow. kind: "training" or "processing".
ApiError WrongStatus(std::string_view kind, std::string_view status);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_STOP_H_
