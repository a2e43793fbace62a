#include "warden/os/freed_memory.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

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

long PagesInMemory() {
  long all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(FreedMemoryTest, HolesBetweenSmallPiecesGoBack) {
  if (mallinfo2().uordblks == 0) GTEST_SKIP() << "a sanitizer has its own heap";
  constexpr size_t kPieces = 64 << 10, kSize = 1 << 10, kKept = 64;
  std::vector<std::unique_ptr<std::string>> pieces;
  for (size_t i = 0; i < kPieces; ++i) {
    pieces.push_back(std::make_unique<std::string>(kSize, 'x'));
  }
  for (size_t i = 0; i < kPieces; ++i) {
    if (i % kKept != 0) pieces[i].reset();
  }
  const long before = PagesInMemory();
  ReturnMemoryBetween();
  const long page = 4 << 10;
  EXPECT_LT(PagesInMemory(), before - static_cast<long>(kPieces * kSize / 2) / page);
}

}  // namespace
}  // namespace warden::os
