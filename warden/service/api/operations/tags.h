#ifndef WARDEN_SERVICE_API_OPERATIONS_TAGS_H_
#define WARDEN_SERVICE_API_OPERATIONS_TAGS_H_

#include "warden/service/jobs/job.h"

namespace warden::service::operations {

// Adds a list of {"Key", "Value"}; of equal keys the last one stays.
void SetTags(const Json& tags, TrainingJob* job);

// As the API tells them.
Json TagsJson(const TrainingJob& job);

}  // namespace warden::service::operations

#endif  // WARDEN_SERVICE_API_OPERATIONS_TAGS_H_
