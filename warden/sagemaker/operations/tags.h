#ifndef WARDEN_SAGEMAKER_OPERATIONS_TAGS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_TAGS_H_

#include "warden/jobs/record/job.h"

namespace warden::sagemaker::operations {

// Adds a list of {"Key", "Value"}; of equal keys the last one stays.
void SetTags(const Json& tags, jobs::TrainingJob* job);

// As the API tells them.
Json TagsJson(const jobs::TrainingJob& job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_TAGS_H_
