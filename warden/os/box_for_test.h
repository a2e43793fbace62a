#ifndef WARDEN_OS_BOX_FOR_TEST_H_
#define WARDEN_OS_BOX_FOR_TEST_H_

#include <unistd.h>

#include <cstdlib>

namespace warden::os {

// Whether a machine without boxes is a mistake in its set-up: tests of isolation are skipped where
// the kernel makes no namespaces, but what guards main, as root, must not be green without them.
inline bool MustHaveBoxes() { return std::getenv("CI") != nullptr && geteuid() == 0; }

}  // namespace warden::os

#endif  // WARDEN_OS_BOX_FOR_TEST_H_
