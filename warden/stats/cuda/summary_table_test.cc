#include "warden/stats/cuda/summary_table.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warden::stats::cuda {
namespace {

constexpr unsigned kThreadsForTest = 256;

std::vector<TensorEntry> EntriesOf(const SummaryTable& table) {
  std::vector<std::byte> bytes(table.bytes());
  table.Write(bytes.data());
  std::vector<TensorEntry> entries(table.tensors());
  std::memcpy(entries.data(), bytes.data(), entries.size() * sizeof(TensorEntry));
  return entries;
}

// Whether the tensor is read as elements side by side.
bool IsDense(const std::vector<int64_t>& sizes, const std::vector<int64_t>& steps) {
  SummaryTable table(kThreadsForTest);
  uint64_t count = 1;
  for (const int64_t size : sizes) count *= static_cast<uint64_t>(size);
  EXPECT_TRUE(table.Add({0x1000, count, kElementFloat32, sizes, steps}).ok());
  return EntriesOf(table)[0].layout == 0;
}

TEST(SummaryTable, JoinsDimensions) {
  EXPECT_TRUE(IsDense({3, 4}, {4, 1}));
  EXPECT_TRUE(IsDense({4, 3}, {1, 4}));                // Transposed.
  EXPECT_TRUE(IsDense({2, 3, 4, 5}, {60, 1, 15, 3}));  // Channels last.
  EXPECT_TRUE(IsDense({1, 7, 1}, {99, 1, 5}));         // Steps of single elements do not matter.
  EXPECT_TRUE(IsDense({1}, {77}));
  EXPECT_FALSE(IsDense({3, 4}, {8, 1}));
  EXPECT_FALSE(IsDense({10}, {2}));
  EXPECT_FALSE(IsDense({3, 4}, {0, 1}));
}

TEST(SummaryTable, CountsTiles) {
  SummaryTable table(kThreadsForTest);
  const uint64_t tile = kThreadsForTest * kElementsOfThread;
  ASSERT_TRUE(table.Add({0x1000, tile, kElementBFloat16, {}, {}}).ok());
  EXPECT_EQ(table.tiles(), 1U);
  ASSERT_TRUE(table.Add({0x1002, tile, kElementBFloat16, {}, {}}).ok());  // One element off.
  EXPECT_EQ(table.tiles(), 3U);
  ASSERT_TRUE(table.Add({0, 0, kElementBFloat16, {}, {}}).ok());
  EXPECT_EQ(table.tiles(), 3U);
  ASSERT_TRUE(table.Add({0x1000, uint64_t{1} << 33, kElementFloat8E4M3, {}, {}}).ok());
  EXPECT_EQ(table.tiles(), 3U + (uint64_t{1} << 33) / tile);
  table.Clear();
  EXPECT_EQ(table.tiles(), 0U);
  EXPECT_EQ(table.tensors(), 0U);
}

TEST(SummaryTable, RefusesWhatTheKernelCannotRead) {
  SummaryTable table(kThreadsForTest);
  const Status unaligned = table.Add({0x1001, 5, kElementFloat32, {}, {}});
  EXPECT_EQ(unaligned.code(), Code::kInvalid);
  EXPECT_NE(unaligned.message().find("0x1001"), std::string::npos);
  const std::vector<int64_t> sizes(9, 2);
  std::vector<int64_t> steps;
  for (int64_t step = 3; steps.size() < sizes.size(); step *= 3) steps.push_back(step);
  EXPECT_EQ(table.Add({0x1000, 512, kElementFloat32, sizes, steps}).code(), Code::kInvalid);
  EXPECT_EQ(table.Add({0x1000, ~uint64_t{0} / 2, kElementInt8, {}, {}}).code(), Code::kInvalid);
  EXPECT_EQ(table.tensors(), 0U);
}

TEST(SummaryTable, AListOf130FitsTheArguments) {
  SummaryTable table(kThreadsForTest);
  for (int i = 0; i < 130; ++i) {
    ASSERT_TRUE(table.Add({0x1000, 5, kElementFloat32, {}, {}}).ok());
  }
  EXPECT_LE(table.bytes(), sizeof(SummaryJob::inline_table));
}

TEST(SummaryTable, TypesOfTheCore) {
  for (const DType dtype : kAllDTypes) {
    const auto type = ElementTypeOf(dtype);
    EXPECT_EQ(type.has_value(), !IsComplex(dtype) && dtype != DType::kString);
    if (type) {
      EXPECT_EQ(ElementSize(*type), DTypeSize(dtype));
    }
  }
}

}  // namespace
}  // namespace warden::stats::cuda
