#ifndef WARDEN_SAGEMAKER_OPERATIONS_LIST_QUERY_H_
#define WARDEN_SAGEMAKER_OPERATIONS_LIST_QUERY_H_

// What ListTrainingJobs, ListProcessingJobs and Search have in common.

#include "warden/base/json_fwd.h"
#include "warden/jobs/db/job_store.h"

namespace warden::sagemaker::operations {

// Reads filters, order, MaxResults (clamped to 1..100) and NextToken of a request. Never fails: the
// token is checked by the store.
jobs::ListQuery ListQueryOf(const Json& body);

// {"NAME": items, "NextToken": ...}; without the token on the last page (empty).
Json PageJson(const char* name, Json items, const std::string& next_token);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_LIST_QUERY_H_
