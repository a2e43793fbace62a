#ifndef WARDEN_CAPTURE_CLAIM_H_
#define WARDEN_CAPTURE_CLAIM_H_

#include <string>
#include <utility>

#include "warden/base/status.h"
#include "warden/storage/store.h"

namespace warden::capture {

// A process that trains alone claims the run's folder, so that a second one that does not know of
// it does not mix its steps in. The claim names process and machine: one whose process is gone, or
// that names none, is taken over.
class Claim {
 public:
  // kExists if a living process holds it. store outlives the claim.
  static Result<Claim> Take(storage::Store* store);

  // Whether the folder is claimed by a process of this machine that has ended without a word: no
  // more steps will come.
  static bool HolderIsGone(const storage::Store& store);

  // Whether it is there still: somebody may have emptied the folder for a run of their own.
  bool IsHeld() const;
  // Takes it away, if it is there still.
  Status Release();

 private:
  Claim(storage::Store* store, std::string text) : store_(store), text_(std::move(text)) {}

  storage::Store* store_;
  std::string text_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_CLAIM_H_
