#ifndef WARDEN_SAGEMAKER_OPERATIONS_TAGS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_TAGS_H_

// Tags of jobs, between the API's form ([{"Key": "team", "Value": "vision"}]) and the record's.

#include "warden/jobs/record/job.h"

namespace warden::sagemaker::operations {

// Adds a list of {"Key", "Value"}; a key that exists gets the new value. How many there may be is
// checked by the caller.
void SetTags(const Json& tags, jobs::TrainingJob* job);

// The list as the API returns it, in the order in which keys were added.
Json TagsJson(const jobs::TrainingJob& job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_TAGS_H_
