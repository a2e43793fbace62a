#include "warden/storage/mirrored_store.h"

#include <gtest/gtest.h>

#include "warden/storage/mem_store.h"

namespace warden::storage {
namespace {

TEST(MirroredStore, TakesWhatIsLargeFromTheOriginalAndTheRestFromTheCopy) {
  auto copy = NewMemStore();
  auto original = NewMemStore();
  ASSERT_TRUE(copy->Put("index/1", AsBytes("here")).ok());
  ASSERT_TRUE(original->Put("index/1", AsBytes("there")).ok());
  ASSERT_TRUE(original->Put("index/2", AsBytes("there")).ok());
  ASSERT_TRUE(original->Put("events/1", AsBytes("large")).ok());
  const auto store = NewMirroredStore(std::move(copy), std::move(original), "events/");

  EXPECT_EQ(AsText(store->ReadAll("index/1").value().bytes), "here");
  EXPECT_EQ(AsText(store->ReadAll("events/1").value().bytes), "large");
  EXPECT_FALSE(store->Exists("index/2"));
  EXPECT_EQ(store->List("index/").value(), std::vector<std::string>{"index/1"});
  EXPECT_EQ(store->List("events/").value(), std::vector<std::string>{"events/1"});
}

TEST(MirroredStore, RefusesToWrite) {
  const auto store = NewMirroredStore(NewMemStore(), NewMemStore(), "events/");
  EXPECT_EQ(store->Put("index/1", AsBytes("x")).code(), Code::kInvalid);
  EXPECT_EQ(store->PutIfAbsent("events/1", AsBytes("x")).code(), Code::kInvalid);
  EXPECT_EQ(store->Remove("events/1").code(), Code::kInvalid);
}

}  // namespace
}  // namespace warden::storage
