#include "warden/jobs/slurm/slurm_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/slurm/slurm_command.h"
#include "warden/jobs/slurm/slurm_record.h"
#include "warden/os/private_folder.h"
#include "warden/os/random.h"
#include "warden/os/replace_file.h"

namespace warden::jobs {
namespace {

using std::chrono::seconds;

// Of Slurm's limit, after the training's own: for its grace and its last files.
constexpr seconds kLastFiles{300};
// A network file system may show a file that late.
constexpr seconds kLateReport{60};

}  // namespace

Status SlurmJobs::SubmitOnce(SlurmSubmission submission, const std::string& label,
                             const std::string& script, const std::function<Status()>& prepare) {
  SlurmRecord record = ReadRecord(submission.folder).value_or(SlurmRecord());
  if (!record.id.empty()) return Status();
  if (!record.name.empty()) {
    // An earlier service may have submitted it without being able to note so.
    const auto found = queue_.FindByName(record.name);
    if (!found.ok()) return found.status();
    if (found.value()) {
      record.id = found.value()->id;
      return WriteRecord(submission.folder, record);
    }
  }
  if (Status status = prepare(); !status.ok()) return status;
  submission.name = fmt::format("warden-{}-{}", label, os::RandomHex(8));
  return Submit(submission, script);
}

Status SlurmJobs::Submit(const SlurmSubmission& submission, const std::string& script) {
  SlurmRecord record;
  record.name = submission.name;
  Status status = os::ReplaceFile(ScriptFileOf(submission.folder), script, 0700);
  if (status.ok()) status = WriteRecord(submission.folder, record);
  if (!status.ok()) return status;
  const auto said = RunSlurm(SubmitWords(submission));
  if (!said.ok()) return said.status();
  // "4711", or "4711;cluster".
  record.id = Trim(said.value().substr(0, said.value().find(';')));
  {
    const std::lock_guard lock(mutex_);
    submitted_[record.id] = Clock::now();
  }
  return WriteRecord(submission.folder, record);
}

SlurmQueue::Answer SlurmJobs::Find(const std::string& id) {
  Clock::time_point since;
  {
    const std::lock_guard lock(mutex_);
    const auto found = submitted_.find(id);
    if (found != submitted_.end()) since = found->second;
  }
  return queue_.Find(id, since);
}

bool SlurmJobs::MayReportLate(const std::string& id, const SlurmQueue::Answer& answer) {
  if (!answer.job || answer.job->state != "COMPLETED") return false;
  const std::lock_guard lock(mutex_);
  const auto seen = completed_.try_emplace(id, Clock::now()).first->second;
  return Clock::now() - seen < kLateReport;
}

std::optional<int64_t> SlurmJobs::MinutesFor(const TrainingJob& job,
                                             const SlurmQueueOptions& queue) const {
  const auto longest = job.LongestRun();
  if (!longest) return std::nullopt;
  int64_t minutes = std::chrono::ceil<std::chrono::minutes>(*longest + grace_ + kLastFiles).count();
  std::vector<std::string> partitions = SplitTrimmed(queue.partition, ',');
  if (partitions.empty()) partitions = {""};
  for (const std::string& partition : partitions) {
    const auto limit = limits_.find(partition);
    if (limit != limits_.end()) minutes = std::min(minutes, limit->second);
  }
  return minutes;
}

void SlurmJobs::Cancel(std::vector<std::string> words) {
  words.insert(words.begin(), "scancel");
  const auto said = RunSlurm(words);
  if (!said.ok()) LogWarning("{}", said.status().message());
}

Status SlurmJobs::WriteSpec(const AgentLaunch& launch) {
  if (Status status = os::MakePrivateFolder(launch.folder); !status.ok()) return status;
  return os::ReplaceFile(AgentFolder(launch.folder).Spec(), DumpLikePython(launch.spec) + "\n",
                         0600);
}

}  // namespace warden::jobs
