#ifndef WARDEN_OS_FREED_MEMORY_H_
#define WARDEN_OS_FREED_MEMORY_H_

namespace warden::os {

// Makes freed memory go back to the system, for programs that run for months: large buffers at
// once, and small ones stay in few heaps instead of one for each thread. Otherwise each thread that
// ever wrote an answer of 10 MB would keep as much. Call it before threads are started.
void ReturnFreedMemory();
// Gives back what lies free between small pieces that are still used. Takes milliseconds: to be
// called once in a while.
void ReturnMemoryBetween();

}  // namespace warden::os

#endif  // WARDEN_OS_FREED_MEMORY_H_
