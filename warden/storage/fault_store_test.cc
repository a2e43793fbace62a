#include "warden/storage/fault_store.h"

#include <gtest/gtest.h>

#include "warden/storage/mem_store.h"
#include "warden/storage/storage_for_test.h"

namespace warden::storage {
namespace {

TEST(FaultStore, WithoutFaultsItIsItsBase) {
  auto base = NewMemStore();
  FaultStore store(base.get(), {});
  EXPECT_EQ(PutCode(store, "a", "x"), Code::kOk);
  EXPECT_TRUE(store.PutIfAbsent("b", AsBytes("y")).ok());
  EXPECT_TRUE(store.Remove("b").ok());
  EXPECT_EQ(Text(store, "a"), "x");
  EXPECT_EQ(store.List("").value(), base->List("").value());
  EXPECT_EQ(store.writes(), 5u);
  EXPECT_FALSE(store.has_failed());
}

TEST(FaultStore, FailsAtEachWriteInTurn) {
  uint64_t n = 1;
  for (;; ++n) {
    auto base = NewMemStore();
    FaultStore store(base.get(), {.fail_from_write = n});
    EXPECT_EQ(PutCode(store, "a"), n <= 3 ? Code::kIo : Code::kOk);
    EXPECT_EQ(PutCode(store, "b"), n <= 6 ? Code::kIo : Code::kOk);
    EXPECT_EQ(store.Remove("a").code(), n <= 7 ? Code::kIo : Code::kOk);
    EXPECT_EQ(base->Exists("a"), 3 < n && n <= 7);
    EXPECT_EQ(base->Exists("b"), 6 < n);
    if (!store.has_failed()) break;
    EXPECT_EQ(store.PutIfAbsent("c", {}).code(), Code::kIo);
  }
  EXPECT_EQ(n, 8u);
}

TEST(FaultStore, TearsTheAppendThatFails) {
  // The base of the base counts what reaches it.
  auto memory = NewMemStore();
  FaultStore base(memory.get(), {});
  FaultStore store(&base, {.fail_from_write = 2, .tear_append = true});
  auto writer = store.Create("a").value();
  EXPECT_EQ(writer->Append(AsBytes("12345678")).code(), Code::kIo);
  EXPECT_EQ(base.writes(), 2u);
  EXPECT_EQ(writer->Append(AsBytes("12345678")).code(), Code::kIo);
  EXPECT_EQ(writer->Commit().code(), Code::kIo);
  EXPECT_EQ(base.writes(), 2u);
  writer.reset();
  EXPECT_EQ(memory->List("").value(), Keys());
}

}  // namespace
}  // namespace warden::storage
