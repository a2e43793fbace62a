#ifndef WARDEN_SERVICE_API_PERFORM_H_
#define WARDEN_SERVICE_API_PERFORM_H_

#include <mutex>
#include <string>
#include <string_view>

#include "warden/service/api/operations/operations.h"

namespace warden::service {

// An operation by somebody who is known: whether he may, whether the body keeps to Amazon's model,
// then what it does. deleting: one for all callers.
operations::Outcome Perform(const ApiParts& parts, const operations::Operation& operation,
                            const Identity& identity, const Json& body,
                            const std::string& invocation_id, std::mutex* deleting);

// Why somebody may not do this.
ApiError AccessDenied(const Identity& identity, std::string_view service,
                      std::string_view operation, const std::string& resource);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_API_PERFORM_H_
