#ifndef WARDEN_TRIAL_FIND_RUNS_H_
#define WARDEN_TRIAL_FIND_RUNS_H_

#include <string>
#include <vector>

namespace warden::trial {

// Folders of runs: the given one, or those found one or two levels below it, sorted. name: a
// folder, or what storage::OpenStore accepts. Empty if there are none, or if the folder cannot be
// read.
std::vector<std::string> FindRuns(const std::string& name);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_FIND_RUNS_H_
