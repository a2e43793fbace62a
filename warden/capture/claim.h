#ifndef WARDEN_CAPTURE_CLAIM_H_
#define WARDEN_CAPTURE_CLAIM_H_

#include "warden/base/status.h"
#include "warden/storage/store.h"

namespace warden::capture {

// A process that trains alone claims the run's folder, so that a second one that does not know of
// it does not mix its steps in. The claim names process and machine: one whose process is gone, or
// that names none, is taken over. kExists if a living process holds it.
Status TakeClaim(storage::Store* store);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_CLAIM_H_
