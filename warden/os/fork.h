#ifndef WARDEN_OS_FORK_H_
#define WARDEN_OS_FORK_H_

#include <cstdint>

namespace warden::os {

// Counts the forks that lead from the first process to this one. An object that remembers the count
// of its birth knows when it is only a copy in a child, whose threads do not exist and whose locks
// may be held by nobody.
uint64_t ForkGeneration();

}  // namespace warden::os

#endif  // WARDEN_OS_FORK_H_
