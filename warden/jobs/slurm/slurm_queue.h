#ifndef WARDEN_JOBS_SLURM_SLURM_QUEUE_H_
#define WARDEN_JOBS_SLURM_SLURM_QUEUE_H_

// What Slurm says of the service's jobs: one question for all of them, at most once a second.

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::jobs {

// A job as squeue shows it. Slurm forgets one a while after its end (MinJobAge).
struct SlurmJob {
  std::string id;      // "4711".
  std::string name;    // As it was submitted.
  std::string state;   // "RUNNING".
  std::string nodes;   // "node[1-2]"; empty before it has some.
  std::string reason;  // Why it waits or ended: "Resources"; "None" if there is no reason.

  bool IsOver() const;  // Nothing of it runs, nor will.
};

// The lines of squeue; those that are not of its form are left out.
std::map<std::string, SlurmJob> ParseQueue(std::string_view text);

// Safe for many threads.
class SlurmQueue {
 public:
  using Clock = std::chrono::steady_clock;

  // As of at most a second ago, unless Slurm does not answer.
  struct Answer {
    bool known = false;  // Slurm has answered a question that was asked after `since`.
    std::optional<SlurmJob> job;
  };
  Answer Find(const std::string& id, Clock::time_point since);
  // The last one that was submitted under that name. Asks Slurm now. kUnavailable.
  Result<std::optional<SlurmJob>> FindByName(const std::string& name);

 private:
  Status Ask();  // REQUIRES: asking_ is held.

  std::mutex asking_;  // By whoever asks Slurm; the others take what is there.
  std::mutex mutex_;
  Clock::time_point tried_, asked_;       // Under mutex_: the last question; that was answered.
  std::map<std::string, SlurmJob> jobs_;  // Under mutex_: by ID.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_QUEUE_H_
