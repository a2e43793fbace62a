#ifndef WARDEN_WATCH_LOCAL_WATCHED_JOB_H_
#define WARDEN_WATCH_LOCAL_WATCHED_JOB_H_

#include <string>

namespace warden::watch {

// The job that is watched.
struct WatchedJob {
  std::string name;
  std::string launch;  // Differs from that of an earlier job with the same name.
  std::string run;     // Its folder.
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_LOCAL_WATCHED_JOB_H_
