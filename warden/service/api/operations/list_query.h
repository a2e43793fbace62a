#ifndef WARDEN_SERVICE_API_OPERATIONS_LIST_QUERY_H_
#define WARDEN_SERVICE_API_OPERATIONS_LIST_QUERY_H_

#include "warden/base/json_fwd.h"
#include "warden/service/db/job_store.h"

namespace warden::service::operations {

// What ListTrainingJobs and ListProcessingJobs have in common.
ListQuery ListQueryOf(const Json& body);

// {"NAME": items, "NextToken": ...}; without the token on the last page.
Json PageJson(const char* name, Json items, const std::string& next_token);

}  // namespace warden::service::operations

#endif  // WARDEN_SERVICE_API_OPERATIONS_LIST_QUERY_H_
