#include "warden/jobs/db/job_rows.h"

#include <algorithm>

namespace warden::jobs::db {

std::string DocumentOf(const TrainingJob& job) { return DumpLikePython(ToJson(job)); }

Result<TrainingJob> JobOf(const std::string& name, const std::string& document) {
  auto json = ParseJson(document);
  if (!json.ok()) return json.status().WithContext("job " + name);
  auto job = TrainingJobFromJson(json.value());
  if (!job.ok()) return job.status().WithContext("job " + name);
  return job;
}

bool IsUnfinished(const TrainingJob& job) {
  return !IsOver(job.status) ||
         std::any_of(job.rules.begin(), job.rules.end(),
                     [](const RuleJob& rule) { return !IsOver(rule.status); });
}

}  // namespace warden::jobs::db
