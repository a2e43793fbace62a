#ifndef WARDEN_CAPTURE_CLAIM_H_
#define WARDEN_CAPTURE_CLAIM_H_

#include <string>
#include <utility>

#include "warden/base/status.h"
#include "warden/storage/store.h"

namespace warden::capture {

// A process that trains alone claims the run's folder, so that a second one that does not know of
// it does not mix its steps in. The claim is the object "claim.smd" (format::kClaim). It names
// process and machine: one whose process is gone, or that names none, is taken over. The claim of a
// process on another machine is always respected, as nobody here can tell whether that still runs.
//
//   auto claim = Claim::Take(store);
//   if (!claim.ok()) return claim.status();  // kExists: somebody else trains into this folder.
//   ... write ...
//   Status released = claim.value().Release();
//
// Destroying it does not release it: after a crash the claim shows that the run did not end.
class Claim {
 public:
  // Whose claims are respected, besides those of living processes.
  enum class Respect {
    kLiving,   // Nobody's: a training that crashed is started again.
    kSameJob,  // Those of processes of the same job that have ended: of many, only one is the
               // first.
  };
  // kExists if a living process holds it, which may be this one: two hooks of one process exclude
  // each other, too. Otherwise the errors of the store. store outlives the claim. Processes are of
  // the same job if they have the same $TRAINING_JOB_NAME, or without one the same parent.
  static Result<Claim> Take(storage::Store* store, Respect respect = Respect::kLiving);

  // Whether the folder is claimed by a process of this machine that has ended without releasing it,
  // or by a claim that names no process: no more steps will come. False without a claim. For those
  // who watch a run.
  static bool HolderIsGone(const storage::Store& store);

  // Whether it is there still: somebody may have emptied the folder for another run. Reads the
  // object.
  bool IsHeld() const;
  // Puts it back after somebody removed the run's folder. kExists if another process has claimed
  // the folder since; otherwise the errors of the store. Nothing changes if it is held.
  Status Restore();
  // Removes it, if it is there still. Calling it twice is fine.
  Status Release();

 private:
  Claim(storage::Store* store, std::string text) : store_(store), text_(std::move(text)) {}

  storage::Store* store_;
  std::string text_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_CLAIM_H_
