#ifndef WARDEN_VIEW_SERIES_STEP_FILES_H_
#define WARDEN_VIEW_SERIES_STEP_FILES_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/types.h"
#include "warden/view/series/step_data.h"

namespace warden::view {

// An index file of the run.
struct StepFile {
  Step step = 0;
  WorkerId worker = 0;
  uint8_t tries = 0;
  bool waits = true;    // Is to be read.
  bool counted = true;  // Among what is still to be read; a file that is tried again is not.
  bool was_read = false;
};

// The index files that are known, in little memory. For one thread.
class StepFiles {
 public:
  struct Found {
    Step step = 0;
    WorkerId worker = 0;
    std::string_view worker_name = {};
    std::string_view key = {};
  };
  // Adds files; those that are known are to be read again. Leaves those that did not wait before,
  // each once, in the order of steps.
  void Add(std::vector<Found>* found);

  bool Knows(Step step, WorkerId worker) const;
  std::span<StepFile> At(Step step);
  std::string KeyOf(const StepFile& file, std::string_view worker_name) const;
  // Steps with a file that waits, ascending.
  std::vector<Step> Waiting() const;

 private:
  void SetKey(const Found& file);

  std::vector<StepFile> files_;  // By step and worker.
  // Of files whose names are not what our own writer calls them.
  std::map<std::pair<Step, WorkerId>, std::string> unusual_keys_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_FILES_H_
