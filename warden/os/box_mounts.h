#ifndef WARDEN_OS_BOX_MOUNTS_H_
#define WARDEN_OS_BOX_MOUNTS_H_

// The files of a box (box.h). Used by box.cc alone.

#include "warden/base/status.h"
#include "warden/os/box.h"

namespace warden::os {

// Arranges the mounts of a mount namespace that this process has for itself: everything read-only
// but what is shown as writable, /proc of the own process namespace, new and empty /dev/shm and
// /dev/pts. kIo names the place and the reason.
Status ArrangeMounts(const Box& box);

}  // namespace warden::os

#endif  // WARDEN_OS_BOX_MOUNTS_H_
