#ifndef WARDEN_VIEW_SERIES_STEP_FILES_H_
#define WARDEN_VIEW_SERIES_STEP_FILES_H_

// The index files of a run that RunSeries knows, and which of them are to be read.

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

// An index file of the run. A file waits, is read, and waits again if it was rewritten or was not
// complete.
struct StepFile {
  Step step = 0;
  WorkerId worker = 0;
  uint8_t tries = 0;    // How often reading was tried without success.
  bool waits = true;    // It is to be read.
  bool counted = true;  // Among what is still to be read; a file that is tried again is not.
  bool was_read = false;
};

// The index files that are known, in 16 bytes each. For one thread.
class StepFiles {
 public:
  // A file of a listing. The views need only be valid during Add.
  struct Found {
    Step step = 0;
    WorkerId worker = 0;
    std::string_view worker_name = {};
    std::string_view key = {};
  };
  // Adds files; known ones are to be read again. Leaves in *found those that did not wait before,
  // each once, in the order of steps. Fast if all steps come after the known ones, as those of a
  // run that grows do; otherwise everything is sorted again.
  void Add(std::vector<Found>* found);

  // Whether the file of this step and worker was added.
  bool Knows(Step step, WorkerId worker) const;
  // The files of one step, by worker; empty if there are none. Valid until the next Add.
  std::span<StepFile> At(Step step);
  // The key of the file in the store. worker_name: the name of file.worker. Computed from step and
  // name, as our own writer calls files, unless the listing said otherwise.
  std::string KeyOf(const StepFile& file, std::string_view worker_name) const;
  // Steps with a file that waits, ascending, each once.
  std::vector<Step> Waiting() const;

 private:
  // Remembers the key of a file only if it cannot be computed. Nearly all are computed, so that a
  // million files need no names in memory.
  void SetKey(const Found& file);

  std::vector<StepFile> files_;  // By step and worker.
  // Of files whose names are not what our own writer calls them.
  std::map<std::pair<Step, WorkerId>, std::string> unusual_keys_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_FILES_H_
