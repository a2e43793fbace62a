#include "warden/capture/writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "warden/storage/fault_store.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/testing.h"

namespace warden::capture {
namespace {

std::string Pattern(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 31 + i / 256);
  return text;
}

TEST(Writer, FilesComeOutWhole) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), size_t{4} << 20, Overflow::kWait);
  // Below, at and above the size of a staging chunk, and more than all of the staging memory.
  const std::vector<size_t> sizes = {1, 1000, 1 << 20, (1 << 20) + 1, 5 << 20, 11 << 20};
  for (size_t i = 0; i < sizes.size(); ++i) {
    writer.Begin("file" + std::to_string(i));
    const std::string text = Pattern(sizes[i]);
    const size_t half = text.size() / 2;
    writer.Append(AsBytes(text).subspan(0, half));
    writer.Append(AsBytes(text).subspan(half));
    writer.Commit();
  }
  writer.Put("small", "text");
  ASSERT_TRUE(writer.Flush().ok());
  for (size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(storage::Text(*store, "file" + std::to_string(i)), Pattern(sizes[i]));
  }
  EXPECT_EQ(storage::Text(*store, "small"), "text");
}

TEST(Writer, WhatWasBegunAndNotCommittedIsNotSeen) {
  auto store = storage::NewMemStore();
  {
    Writer writer(store.get(), 0, Overflow::kWait);
    writer.Begin("file");
    writer.Append(AsBytes(Pattern(3 << 20)));
  }
  EXPECT_EQ(store->List("").value(), storage::Keys());
}

TEST(Writer, OrderIsKept) {
  auto store = storage::NewMemStore();
  Writer writer(store.get(), 0, Overflow::kWait);
  for (int i = 0; i < 100; ++i) writer.Put("key", std::to_string(i));
  writer.Remove("other");
  ASSERT_TRUE(writer.Flush().ok());
  EXPECT_EQ(storage::Text(*store, "key"), "99");
}

TEST(Writer, AFailureIsRememberedAndTheRestSwallowed) {
  auto base = storage::NewMemStore();
  storage::FaultStore store(base.get(), {.fail_from_write = 2});
  Writer writer(&store, 0, Overflow::kWait);
  for (int i = 0; i < 50; ++i) {
    writer.Begin("file" + std::to_string(i));
    writer.Append(AsBytes(Pattern(1 << 20)));
    writer.Commit();
  }
  EXPECT_EQ(writer.Flush().code(), Code::kIo);
  EXPECT_EQ(writer.status().code(), Code::kIo);
  EXPECT_EQ(base->List("").value(), storage::Keys());
}

// A store whose first write waits until it is let go.
class SlowStore final : public storage::Store {
 public:
  explicit SlowStore(storage::Store* base) : base_(base) {}
  void LetGo() { go_ = true; }

  std::string Locate(std::string_view key) const override { return base_->Locate(key); }
  Result<std::vector<std::string>> List(std::string_view prefix,
                                        std::string_view after) const override {
    return base_->List(prefix, after);
  }
  Result<std::shared_ptr<const storage::Object>> Open(std::string_view key) const override {
    return base_->Open(key);
  }
  bool Exists(std::string_view key) const override { return base_->Exists(key); }
  Result<std::unique_ptr<storage::ObjectWriter>> Create(std::string_view key) override {
    while (!go_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return base_->Create(key);
  }
  Status PutIfAbsent(std::string_view key, Bytes body) override {
    return base_->PutIfAbsent(key, body);
  }
  Status Remove(std::string_view key) override { return base_->Remove(key); }
  Result<std::unique_ptr<storage::Watch>> WatchPrefix(std::string_view prefix) const override {
    return base_->WatchPrefix(prefix);
  }

 private:
  storage::Store* base_;
  std::atomic<bool> go_ = false;
};

TEST(Writer, IsFullOnlyWhenAskedToDrop) {
  auto base = storage::NewMemStore();
  SlowStore store(base.get());
  const std::string text = Pattern(2 << 20);
  {
    Writer writer(&store, size_t{2} << 20, Overflow::kDrop);
    EXPECT_FALSE(writer.IsFull());
    writer.Begin("file");
    writer.Append(AsBytes(text));
    EXPECT_TRUE(writer.IsFull()) << "all staging memory waits for the store";
    store.LetGo();
    writer.Commit();
    ASSERT_TRUE(writer.Flush().ok());
    EXPECT_FALSE(writer.IsFull());
  }
  EXPECT_EQ(storage::Text(*base, "file"), text);
}

}  // namespace
}  // namespace warden::capture
