#ifndef WARDEN_OS_FORK_H_
#define WARDEN_OS_FORK_H_

// Tells an object with threads that it is a copy in a forked child. Used by capture and by the
// hook: a training that uses PyTorch's data loaders or `multiprocessing` forks while our writer
// thread holds locks. In the child that thread is gone, and nobody ever releases what it held.
//
//   bool IsCopy() const { return os::ForkGeneration() != born_; }
//   const uint64_t born_ = os::ForkGeneration();
//
// A copy must not lock, join or flush anything.

#include <cstdint>

namespace warden::os {

// Counts the forks that lead from the first process to this one. An object that remembers the count
// of its birth knows when it is only a copy in a child, whose threads do not exist and whose locks
// may be held by nobody. Counts only from its first call on, which registers the counter: call it
// in the constructor, before anything forks. Processes made with vfork, posix_spawn or a bare clone
// are not counted, since they execute another program. For any thread; safe in the child at once.
uint64_t ForkGeneration();

}  // namespace warden::os

#endif  // WARDEN_OS_FORK_H_
