#ifndef WARDEN_JOBS_RECORD_JOB_H_
#define WARDEN_JOBS_RECORD_JOB_H_

// The record of a training job and of its rules: what the store keeps, the supervisor changes and
// the API describes. Plain values without locks: copy them freely, and change what is stored only
// through JobStore::Change (db/job_store.h).
//
//   TrainingJob job;
//   job.name = "mnist-1";
//   Enter(&job, SecondaryStatus::kStarting, "Starting the training job", Now());

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

// Seconds since 1970 with three digits after the point, as the API writes times. A number, not a
// text: boto3 turns it into a datetime.
Json SecondsJson(Time time);

// TrainingJobStatus of the API. All but kInProgress and kStopping are final (IsOver).
enum class JobStatus : uint8_t { kInProgress, kCompleted, kFailed, kStopping, kStopped };
// SecondaryStatus of the API: the phases of a job. The API has more, which Amazon's own jobs no
// longer enter either.
//
//   kStarting - kDownloading - kTraining - kUploading - kCompleted
//   any of these, when it is asked to stop: kStopping - kStopped or kMaxRuntimeExceeded
//   any of these, when it fails: kFailed
enum class SecondaryStatus : uint8_t {
  kStarting,     // Created; waits for its turn.
  kDownloading,  // Inputs and code are prepared.
  kTraining,     // Its hosts run.
  kUploading,    // Outputs are collected.
  kStopping,
  kStopped,
  kMaxRuntimeExceeded,  // Final; its JobStatus is kStopped.
  kCompleted,           // Final: all hosts ended with 0.
  kFailed,              // Final: see TrainingJob::failure_reason.
};
// RuleEvaluationStatus of the API. All but kInProgress and kStopping are final (IsOver).
enum class RuleStatus : uint8_t {
  kInProgress,
  kNoIssuesFound,  // The rule ended without findings.
  kIssuesFound,    // It has findings.
  kError,          // The rule itself failed; see RuleJob::details.
  kStopping,
  kStopped,
};

// The names as the API spells them: "InProgress", "MaxRuntimeExceeded". Valid forever.
std::string_view NameOf(JobStatus status);
std::string_view NameOf(SecondaryStatus status);
std::string_view NameOf(RuleStatus status);
// The reverse, case-sensitive; nothing if it is not such a name.
std::optional<JobStatus> JobStatusFrom(std::string_view name);
std::optional<SecondaryStatus> SecondaryStatusFrom(std::string_view name);
std::optional<RuleStatus> RuleStatusFrom(std::string_view name);

// Whether the status is final.
bool IsOver(JobStatus status);
bool IsOver(RuleStatus status);

// One stay in a secondary status. One element of SecondaryStatusTransitions, as the API calls it.
struct Transition {
  SecondaryStatus status = SecondaryStatus::kStarting;  // What it was in.
  Time start;                                           // When it was entered.
  std::optional<Time> end;                              // Nothing: it is the current one.
  std::string message;                                  // For people; may be empty.
};

// A rule that checks a training job. To the API it is a processing job, too, with its own name and
// ARN. Its findings are not here: they are in the rule's folder and in events.
struct RuleJob {
  enum class Kind : uint8_t { kDebug, kProfiler };  // Checks tensors, or profiler files.

  Kind kind = Kind::kDebug;  // Never changes.
  // Its DebugRuleConfiguration or ProfilerRuleConfiguration as Describe returns it: an object.
  Json config;
  // Of the processing job: "<26 of the training job>-<26 of the rule>-<8 hexadecimal digits>".
  std::string job_name;
  RuleStatus status = RuleStatus::kInProgress;  // Change it with SetRuleStatus.
  std::string details;                          // StatusDetails, at most 1024 bytes.
  std::optional<Time> launched;  // Its process was started: from then on Describe has its ARN.
  std::optional<Time> ended;     // Set while the status is final.
  Time modified;
  int restarts = 0;             // How often its process was started again after a crash.
  bool stop_requested = false;  // By StopProcessingJob, or because profiling was switched off.
  Time created;                 // The request or the update that brought it.

  // RuleConfigurationName; unique within the job. Empty if config has none.
  std::string Name() const;
};

// Findings of a job's rules that have one cause, from when people are told of them.
struct JobIncident {
  std::string id;  // A UUID, also that of its event (IncidentEvent).
  Time begun;      // When they are told.
  // As watch::ToJson(Incident) writes it; replaced when findings join it. An object.
  Json json;
};

// Why a job is ended early. kUser: StopTrainingJob, or an action of a rule.
enum class StopCause : uint8_t { kNone, kUser, kMaxRuntime };

// All that is kept of a training job. All members go into the store and back, so a new one needs a
// default that suits old records.
struct TrainingJob {
  std::string name;     // Unique; safe as the name of a folder.
  std::string account;  // With region, part of its ARN.
  std::string region;   // Of the request that created it.
  std::string owner;    // The access key that created it.
  // The request as it was accepted, with the members that Describe adds; in the order received.
  // Updates change it. Without Tags and the rules' configurations, which are below. An object.
  Json request;
  std::vector<std::pair<std::string, std::string>> tags;  // In the order given.
  JobStatus status = JobStatus::kInProgress;              // Both are changed with Enter().
  SecondaryStatus secondary = SecondaryStatus::kStarting;
  std::vector<Transition> transitions;  // The last one is the current one.
  Time created;
  Time modified;
  std::optional<Time> started;  // Its hosts were started.
  std::optional<Time> ended;    // Nothing of it runs any more and its outputs are in place.
  std::string failure_reason;   // At most 1024 bytes; empty: it has not failed.
  StopCause stop_cause = StopCause::kNone;  // The first cause; it stays.
  std::vector<RuleJob> rules;  // Debug rules first, each kind in the order of the request.
  // In the order in which they began; a new one is an event. Not part of what the API describes.
  std::vector<JobIncident> incidents;

  // "arn:aws:sagemaker:REGION:ACCOUNT:training-job/NAME", and .../processing-job/NAME for a rule of
  // it.
  std::string Arn() const;
  std::string RuleArn(const RuleJob& rule) const;
  // Whether it has a ProfilerConfig that is not disabled.
  bool IsProfiled() const;
  // The hosts that the request asks for: "algo-1", ...; at least 1, at most 1,000.
  std::vector<std::string> Hosts() const;
  // Where outputs go: "s3://bucket/prefix/NAME/debug-output" and so on; empty if the request has no
  // such configuration. RuleOutput is the rule's own S3OutputPath if it has one.
  std::string DebugOutput() const;
  std::string ProfilerOutput() const;
  std::string TensorBoardOutput() const;
  std::string RuleOutput(const RuleJob& rule) const;
  // "s3://bucket/prefix/NAME/output/model.tar.gz", whether it is there or not; of a job that asks
  // for CompressionType NONE, the prefix of the files: ".../output/model".
  std::string ModelArtifacts() const;
  bool HasPackedModel() const;  // In an archive; else in files.
  // MaxRuntimeInSeconds, at most ten years; nothing if the request has none.
  std::optional<std::chrono::seconds> LongestRun() const;
};

// Ends the current transition and begins another, with the JobStatus that belongs to it. The same
// status again only changes the message. Any order is accepted: what may follow what is the
// caller's decision.
void Enter(TrainingJob* job, SecondaryStatus status, std::string message, Time now);

// Asks for the job to be ended early: by StopTrainingJob, by an action of a rule, or when its time
// is over. For use within JobStore::Change; wake the supervisor afterwards. The first cause counts.
// False, and nothing changes: it is over or stopping already.
//
// Only the record changes here: the job's life notices it, sends SIGTERM to the training, and kills
// it after the grace period of the options.
bool RequestStop(TrainingJob* job, StopCause cause, Time now);

// Sets the status of job->rules[rule] (which must exist), its details (cut to 1,024 bytes) and its
// end. The rule and the job get the time of the change; other rules keep theirs.
void SetRuleStatus(TrainingJob* job, size_t rule, RuleStatus status, std::string details, Time now);

// The whole record for the store; nothing is lost on the way. Reading it back fails with kCorrupt,
// naming the first member that is missing or has another type.
Json ToJson(const TrainingJob& job);
Result<TrainingJob> TrainingJobFromJson(const Json& json);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_JOB_H_
