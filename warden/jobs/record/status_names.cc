#include <algorithm>
#include <iterator>

#include "warden/jobs/record/job.h"

namespace warden::jobs {
namespace {

// In the order of the enumerations.
constexpr std::string_view kJobStatuses[] = {"InProgress", "Completed", "Failed", "Stopping",
                                             "Stopped"};
constexpr std::string_view kSecondaryStatuses[] = {"Starting",           "Downloading", "Training",
                                                   "Uploading",          "Stopping",    "Stopped",
                                                   "MaxRuntimeExceeded", "Completed",   "Failed"};
constexpr std::string_view kRuleStatuses[] = {"InProgress", "NoIssuesFound", "IssuesFound",
                                              "Error",      "Stopping",      "Stopped"};

template <class Status, size_t kCount>
std::optional<Status> Find(const std::string_view (&names)[kCount], std::string_view name) {
  const auto* found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<Status>(found - std::begin(names));
}

}  // namespace

std::string_view NameOf(JobStatus status) { return kJobStatuses[static_cast<size_t>(status)]; }
std::string_view NameOf(SecondaryStatus status) {
  return kSecondaryStatuses[static_cast<size_t>(status)];
}
std::string_view NameOf(RuleStatus status) { return kRuleStatuses[static_cast<size_t>(status)]; }

std::optional<JobStatus> JobStatusFrom(std::string_view name) {
  return Find<JobStatus>(kJobStatuses, name);
}
std::optional<SecondaryStatus> SecondaryStatusFrom(std::string_view name) {
  return Find<SecondaryStatus>(kSecondaryStatuses, name);
}
std::optional<RuleStatus> RuleStatusFrom(std::string_view name) {
  return Find<RuleStatus>(kRuleStatuses, name);
}

bool IsOver(JobStatus status) {
  return status != JobStatus::kInProgress && status != JobStatus::kStopping;
}
bool IsOver(RuleStatus status) {
  return status != RuleStatus::kInProgress && status != RuleStatus::kStopping;
}

}  // namespace warden::jobs
