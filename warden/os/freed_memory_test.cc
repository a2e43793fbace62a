#include "warden/os/freed_memory.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

namespace warden::os {
namespace {

TEST(FreedMemoryTest, LargeBuffersGoBackAtOnce) {
  if (mallinfo2().uordblks == 0) GTEST_SKIP() << "a sanitizer has its own heap";
  ReturnFreedMemory();
  for (int round = 0; round < 3; ++round) {
    const size_t before = mallinfo2().hblkhd;
    const std::string buffer(1 << 20, 'x');
    // Pages of its own, also after the C library has seen buffers of that size before.
    EXPECT_GE(mallinfo2().hblkhd, before + buffer.size());
  }
}

}  // namespace
}  // namespace warden::os
