#ifndef WARDEN_JOBS_SUPERVISE_CREW_H_
#define WARDEN_JOBS_SUPERVISE_CREW_H_

// Who works on which job: one JobLife on one thread for each job that is not over. The Supervisor
// is made of it. A manager's thread starts and removes the others; it looks at the store when it is
// woken, and at its threads at least once a second.

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

// The lives of all jobs, each on its own thread; at most options->jobs_at_once of them train at
// once, and of each pool of the launcher's as many as that allows. The others wait for their turn
// in the order of their creation. Safe for many threads. A
// job whose training has already started never waits, even if there are more than jobs_at_once:
// after a restart of the service all that run are taken up again.
class Crew {
 public:
  // Begins with the unfinished jobs of the store. What parts points to outlives it.
  explicit Crew(LifeParts parts);
  // Waits for the threads, which end soon. Jobs continue without it. The processes of jobs are not
  // children of the service: the next service finds and leads them on.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The job is new, or was changed in the store. Returns at once. An unknown job is ignored. Waking
  // one that is at work makes its life look at the store at once.
  void Wake(const std::string& job);

 private:
  struct Worker {
    std::unique_ptr<JobLife> life;  // Outlives the thread.
    bool trains = false;            // Counts towards jobs_at_once, and its pool's limit.
    std::string pool;               // JobPool::name.
    bool done = false;              // Its thread is about to end.
    std::thread thread;
  };

  void Manage();  // The manager's thread.
  // All jobs that the store says are unfinished, and those whose actions are. Tries again every
  // second until the store can be read.
  void TakeUpUnfinished();
  // Begins the job's life if there is anything left to do, or lets it wait. REQUIRES: the manager's
  // thread, as for all that follow.
  void Consider(const std::string& name);
  void Begin(const std::string& name, const std::string& pool, bool trains);  // Starts a thread.
  void LetWaitingIn();                                        // As many as there are places.
  void TellItWaits(const std::string& name, size_t running);  // As StatusMessage of the job.
  // Removes threads that have ended; returns their jobs. They are considered again: one that was
  // changed at the last moment of its life must not be lost.
  std::vector<std::string> Reap();
  std::map<std::string, size_t> Training();  // How many train now, by pool.

  const LifeParts parts_;   // Copied into each life.
  std::stop_source leave_;  // Ends the manager and all lives.
  PatientStore store_;      // For the manager alone, as are the next two.
  std::map<std::pair<Time, std::string>, JobPool> waiting_;  // By creation: the oldest first.
  std::set<std::string> told_;  // Those of them that the store already shows as waiting.

  std::mutex mutex_;
  std::condition_variable_any changed_;    // woken_, or a worker, has changed.
  std::set<std::string> woken_;            // Under mutex_, as is the next.
  std::map<std::string, Worker> workers_;  // By job.
  std::thread manager_;                    // Last: it uses all others.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_CREW_H_
