#ifndef WARDEN_SERVICE_API_OPERATIONS_STOP_H_
#define WARDEN_SERVICE_API_OPERATIONS_STOP_H_

#include <string_view>

#include "warden/service/api/error.h"

namespace warden::service::operations {

// "The request was rejected because the training job is in status Stopped."
ApiError WrongStatus(std::string_view kind, std::string_view status);

}  // namespace warden::service::operations

#endif  // WARDEN_SERVICE_API_OPERATIONS_STOP_H_
