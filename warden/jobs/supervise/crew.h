#ifndef WARDEN_JOBS_SUPERVISE_CREW_H_
#define WARDEN_JOBS_SUPERVISE_CREW_H_

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "warden/jobs/supervise/job_life.h"

namespace warden::jobs {

// The lives of all jobs, each on a thread of its own; at most so many of them train at once, and
// the others wait for their turn in the order in which they were made. Safe for many threads.
class Crew {
 public:
  // What parts points to outlives it.
  explicit Crew(LifeParts parts);
  // Jobs go on without it.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The job is new, or something about it was changed. Returns at once.
  void Wake(const std::string& job);

 private:
  struct Worker {
    std::unique_ptr<JobLife> life;
    bool trains = false;  // Takes one of the places.
    bool done = false;
    std::thread thread;
  };

  void Manage();
  // All that the store says is unfinished, and jobs whose actions are.
  void TakeUpUnfinished();
  // Begins the job's life if there is anything left of it, or lets it wait.
  void Consider(const std::string& name);
  void Begin(const std::string& name, bool trains);
  void LetWaitingIn();
  void TellItWaits(const std::string& name, size_t running);
  // Takes threads that have ended out of the list; their jobs.
  std::vector<std::string> Reap();
  size_t Training();

  const LifeParts parts_;
  std::stop_source leave_;
  PatientStore store_;  // For the manager alone, as are the next two.
  std::set<std::pair<Time, std::string>> waiting_;
  std::set<std::string> told_;  // Those of them of which the store says that they wait.

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::string> woken_;  // Under mutex_, as is the next.
  std::map<std::string, Worker> workers_;
  std::thread manager_;  // Last: it uses all others.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_CREW_H_
