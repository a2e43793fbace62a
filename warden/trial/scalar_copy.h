#ifndef WARDEN_TRIAL_SCALAR_COPY_H_
#define WARDEN_TRIAL_SCALAR_COPY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"

namespace warden::trial {

// The scalars of a run as files that TensorBoard reads, for runs that were saved without them
// (`warden tensorboard`). Everything that has one element counts: losses, metrics, saved scalars.
// One file for each mode, "<folder>/TRAIN/events.out.tfevents.0.warden"; in a run of several
// workers one for each of them, in a folder below. Steps are global ones, as hooks write them. For
// one thread.
//
//   ScalarCopy copy(store, trial.get(), folder);
//   do {
//     if (const auto points = copy.Update(); !points.ok()) return points.status();
//   } while (... trial->Refresh() finds more ...);
class ScalarCopy {
 public:
  // The trial is one of this store; it and the folder, which may be missing, outlive this.
  ScalarCopy(std::shared_ptr<const storage::Store> store, const Trial* trial, std::string folder);

  // Appends what complete steps have since the last call; the trial must have been refreshed.
  // Returns how many points were added. Records that cannot be read are left out. kIo if a file
  // cannot be written.
  Result<uint64_t> Update();

 private:
  // Appends the records to the file of this mode and worker.
  Status Append(Mode mode, const std::string& worker, const std::string& records) const;
  // The scalars of one step by worker, encoded.
  std::map<std::string, std::string> RecordsAt(Step step, uint64_t* points) const;

  const std::shared_ptr<const storage::Store> store_;
  const Trial* const trial_;
  const std::string folder_;
  Step last_ = -1;  // The last global step that was copied.
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_SCALAR_COPY_H_
