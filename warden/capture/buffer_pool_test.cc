#include "warden/capture/buffer_pool.h"

#include <gtest/gtest.h>

namespace warden::capture {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST(BufferPool, GivesOutAgainWhatCameBack) {
  BufferPool pool(4 * kMiB);
  auto first = pool.Take(kMiB);
  const std::byte* address = first.data.get();
  pool.GiveBack(std::move(first));
  const auto larger = pool.Take(kMiB + 1);
  EXPECT_NE(larger.data.get(), address);
  EXPECT_EQ(pool.Take(kMiB - 100).data.get(), address);
}

TEST(BufferPool, AFarLargerOneIsKept) {
  BufferPool pool(4 * kMiB);
  auto large = pool.Take(4 * kMiB);
  const std::byte* address = large.data.get();
  pool.GiveBack(std::move(large));
  EXPECT_EQ(pool.Take(kMiB).capacity, kMiB);
  EXPECT_EQ(pool.Take(3 * kMiB).data.get(), address);
}

TEST(BufferPool, KeepsNoMoreThanItMay) {
  BufferPool pool(2 * kMiB);
  pool.GiveBack(pool.Take(3 * kMiB));
  EXPECT_EQ(pool.Take(2 * kMiB).capacity, 2 * kMiB) << "the large one was not kept";
  auto a = pool.Take(kMiB);
  auto b = pool.Take(2 * kMiB);
  pool.GiveBack(std::move(a));
  pool.GiveBack(std::move(b));  // Takes the place of the first.
  EXPECT_EQ(pool.Take(kMiB).capacity, 2 * kMiB);
}

}  // namespace
}  // namespace warden::capture
