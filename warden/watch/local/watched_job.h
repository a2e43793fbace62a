#ifndef WARDEN_WATCH_LOCAL_WATCHED_JOB_H_
#define WARDEN_WATCH_LOCAL_WATCHED_JOB_H_

// Which training is watched, as records, actions and messages name it. Made by LocalJobs::JobOf.

#include <string>

namespace warden::watch {

// The job that is watched.
struct WatchedJob {
  // Of `warden run` the name of the run's folder; what actions that stop a job are given.
  std::string name;
  // Differs from that of an earlier job with the same name, so that actions for the two are not
  // mixed up: when the process was started. Empty if no running job is known.
  std::string launch;
  std::string run;  // Its folder.
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_LOCAL_WATCHED_JOB_H_
