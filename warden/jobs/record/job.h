#ifndef WARDEN_JOBS_RECORD_JOB_H_
#define WARDEN_JOBS_RECORD_JOB_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/base/time.h"

namespace warden::jobs {

// Seconds since 1970 with three digits behind the point, as the API tells times.
Json SecondsJson(Time time);

enum class JobStatus : uint8_t { kInProgress, kCompleted, kFailed, kStopping, kStopped };
// Those that we enter; the API knows more, which its own jobs no longer enter either.
enum class SecondaryStatus : uint8_t {
  kStarting,
  kDownloading,
  kTraining,
  kUploading,
  kStopping,
  kStopped,
  kMaxRuntimeExceeded,
  kCompleted,
  kFailed,
};
enum class RuleStatus : uint8_t {
  kInProgress,
  kNoIssuesFound,
  kIssuesFound,
  kError,
  kStopping,
  kStopped,
};

// As the API spells them.
std::string_view NameOf(JobStatus status);
std::string_view NameOf(SecondaryStatus status);
std::string_view NameOf(RuleStatus status);
// Nothing if it is not the name of one.
std::optional<JobStatus> JobStatusFrom(std::string_view name);
std::optional<SecondaryStatus> SecondaryStatusFrom(std::string_view name);
std::optional<RuleStatus> RuleStatusFrom(std::string_view name);

bool IsOver(JobStatus status);
bool IsOver(RuleStatus status);

// One stay in a secondary status.
struct Transition {
  SecondaryStatus status = SecondaryStatus::kStarting;
  Time start;
  std::optional<Time> end;
  std::string message;
};

// A rule that judges a training job; to the API it is a processing job too.
struct RuleJob {
  enum class Kind : uint8_t { kDebug, kProfiler };

  Kind kind = Kind::kDebug;
  // Its DebugRuleConfiguration or ProfilerRuleConfiguration as Describe tells it.
  Json config;
  // Of the processing job: "<26 of the training job>-<26 of the rule>-<8 hexadecimal digits>".
  std::string job_name;
  RuleStatus status = RuleStatus::kInProgress;
  std::string details;           // StatusDetails, at most 1024 bytes.
  std::optional<Time> launched;  // Its process was started: from then on Describe tells its ARN.
  std::optional<Time> ended;
  Time modified;
  int restarts = 0;             // After crashes.
  bool stop_requested = false;  // By StopProcessingJob, or because profiling was switched off.
  Time created;                 // The request or the update that brought it.

  // RuleConfigurationName.
  std::string Name() const;
};

// Why a job comes to an early end.
enum class StopCause : uint8_t { kNone, kUser, kMaxRuntime };

// All that is kept of a training job.
struct TrainingJob {
  std::string name;
  std::string account;
  std::string region;
  std::string owner;  // The access key that made it.
  // The request as it was accepted, with the members that Describe adds; in the order received.
  // Updates change it. Without Tags and the rules' configurations, which are below.
  Json request;
  std::vector<std::pair<std::string, std::string>> tags;  // In the order given.
  JobStatus status = JobStatus::kInProgress;
  SecondaryStatus secondary = SecondaryStatus::kStarting;
  std::vector<Transition> transitions;  // The last one is the present one.
  Time created;
  Time modified;
  std::optional<Time> started;  // Its hosts were started.
  std::optional<Time> ended;    // Nothing of it runs any more and its outputs are in place.
  std::string failure_reason;   // At most 1024 bytes.
  StopCause stop_cause = StopCause::kNone;
  std::vector<RuleJob> rules;  // Debug rules first, each kind in the order of the request.

  std::string Arn() const;
  std::string RuleArn(const RuleJob& rule) const;
  // Whether a ProfilerConfig is in force.
  bool IsProfiled() const;
  // Hosts of the request: "algo-1", ...
  std::vector<std::string> Hosts() const;
  // "s3://bucket/prefix/NAME/debug-output" and its like; empty if the request names none.
  std::string DebugOutput() const;
  std::string ProfilerOutput() const;
  std::string TensorBoardOutput() const;
  std::string RuleOutput(const RuleJob& rule) const;
  std::string ModelArtifacts() const;
};

// Ends the present transition and begins another, with the status that goes with it. The same
// status again only changes the message.
void Enter(TrainingJob* job, SecondaryStatus status, std::string message, Time now);

// Sets a rule's status, and the time of the change for all rules, which change together.
void SetRuleStatus(TrainingJob* job, size_t rule, RuleStatus status, std::string details, Time now);

// All of it, for the store; nothing is lost on the way. kCorrupt names the member.
Json ToJson(const TrainingJob& job);
Result<TrainingJob> TrainingJobFromJson(const Json& json);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_JOB_H_
