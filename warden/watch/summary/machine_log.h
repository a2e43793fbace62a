#ifndef WARDEN_WATCH_SUMMARY_MACHINE_LOG_H_
#define WARDEN_WATCH_SUMMARY_MACHINE_LOG_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "warden/watch/summary/machine_facts.h"

namespace warden::watch {

// What the machines of a run did, looked up by time in what its monitor has written. Reads only the
// files of the minutes in question, however long the run is, and remembers the answer once nothing
// more can come. Safe for many threads.
//
//   MachineLog machine(profiler_folder);
//   for (const MachineFact& fact : machine.Around(time_s)) Show(fact.text);
class MachineLog {
 public:
  // folder: the profiler's, which need not exist yet; empty: nothing is known of the machines.
  explicit MachineLog(std::string folder) : folder_(std::move(folder)) {}

  // What is remarkable around that time, in seconds since 1970, as far as it is written by now.
  // Empty if nothing is known of that time. Of files that cannot be read, and of more than 128 MB,
  // the rest counts.
  std::vector<MachineFact> Around(double time_s);

 private:
  std::vector<MachineFact> Read(double time_s) const;

  const std::string folder_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<MachineFact>> known_;  // By milliseconds.
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_SUMMARY_MACHINE_LOG_H_
