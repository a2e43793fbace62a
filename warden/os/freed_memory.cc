#include "warden/os/freed_memory.h"

#include <malloc.h>

namespace warden::os {

void ReturnFreedMemory() {
#ifdef __GLIBC__
  // The C library raises the second limit, up to 32 MB, unless it is set.
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

void ReturnMemoryBetween() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace warden::os
