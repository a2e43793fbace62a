#ifndef WARDEN_SAGEMAKER_OPERATIONS_LIST_QUERY_H_
#define WARDEN_SAGEMAKER_OPERATIONS_LIST_QUERY_H_

#include "warden/base/json_fwd.h"
#include "warden/jobs/db/job_store.h"

namespace warden::sagemaker::operations {

// What ListTrainingJobs and ListProcessingJobs have in common.
jobs::ListQuery ListQueryOf(const Json& body);

// {"NAME": items, "NextToken": ...}; without the token on the last page.
Json PageJson(const char* name, Json items, const std::string& next_token);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_LIST_QUERY_H_
