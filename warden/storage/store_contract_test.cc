// What every kind of store promises, tried on each. S3 needs a server:
// tests/service/s3_store_test.py starts one and names a place on it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>

#include "warden/os/random.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/mem_store.h"
#include "warden/storage/s3/s3_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/storage/store.h"

namespace warden::storage {
namespace {

using std::chrono::milliseconds;

enum class Backend { kLocal, kMem, kS3 };

const char* PlaceInS3() { return std::getenv("WARDEN_TEST_S3"); }

std::vector<Backend> Backends() {
  std::vector<Backend> backends = {Backend::kLocal, Backend::kMem};
  if (PlaceInS3() != nullptr) backends.push_back(Backend::kS3);
  return backends;
}

class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  std::unique_ptr<Store> NewStore() {
    if (GetParam() == Backend::kMem) return NewMemStore();
    if (GetParam() == Backend::kS3) {
      return s3::OpenS3Store(fmt::format("{}/{}", PlaceInS3(), os::RandomHex(12))).value();
    }
    return NewLocalStore(folder_.path() / "made" / "when" / "written");
  }

  os::TempFolder folder_;
  std::unique_ptr<Store> store_ = NewStore();
};

std::string BackendName(const testing::TestParamInfo<Backend>& backend) {
  switch (backend.param) {
    case Backend::kLocal: return "Local";
    case Backend::kMem: return "Mem";
    case Backend::kS3: return "S3";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(All, StoreContract, testing::ValuesIn(Backends()), BackendName);

TEST_P(StoreContract, EmptyStoreHasNothing) {
  EXPECT_EQ(store_->List("").value(), Keys());
  EXPECT_EQ(store_->List("index/").value(), Keys());
  EXPECT_FALSE(store_->Exists("a"));
  EXPECT_EQ(store_->Open("a").status().code(), Code::kNotFound);
  EXPECT_EQ(store_->Open("a/b").status().code(), Code::kNotFound);
  EXPECT_TRUE(store_->Remove("a").ok());
}

TEST_P(StoreContract, PutThenRead) {
  EXPECT_EQ(PutCode(*store_, "a/b", "hello"), Code::kOk);
  EXPECT_TRUE(store_->Exists("a/b"));
  EXPECT_EQ(Text(*store_, "a/b"), "hello");
  EXPECT_FALSE(store_->Exists("a"));
  EXPECT_EQ(store_->Open("a").status().code(), Code::kNotFound);
  EXPECT_EQ(store_->Open("a/b/c").status().code(), Code::kNotFound);
  EXPECT_NE(store_->Locate("a/b").find("a/b"), std::string::npos);
}

TEST_P(StoreContract, EmptyObject) {
  EXPECT_EQ(PutCode(*store_, "empty", ""), Code::kOk);
  EXPECT_TRUE(store_->Exists("empty"));
  EXPECT_EQ(Text(*store_, "empty"), "");
  EXPECT_EQ(store_->Open("empty").value()->Read(0, 1).status().code(), Code::kTruncated);
}

TEST_P(StoreContract, NobodySeesAnObjectBeforeCommit) {
  auto writer = store_->Create("a").value();
  ASSERT_TRUE(writer->Append(AsBytes("new")).ok());
  EXPECT_FALSE(store_->Exists("a"));
  EXPECT_EQ(store_->List("").value(), Keys());
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_EQ(Text(*store_, "a"), "new");
  EXPECT_EQ(writer->Commit().code(), Code::kInvalid);
  EXPECT_EQ(Text(*store_, "a"), "new");
}

TEST_P(StoreContract, AbandonedWriterLeavesWhatWasThere) {
  EXPECT_EQ(PutCode(*store_, "a", "old"), Code::kOk);
  ASSERT_TRUE(store_->Create("a").value()->Append(AsBytes("new")).ok());
  EXPECT_EQ(Text(*store_, "a"), "old");
  EXPECT_EQ(store_->List("").value(), Keys{"a"});
}

TEST_P(StoreContract, ManyPartsOfAllSizes) {
  std::vector<std::string> texts;
  std::string all;
  for (size_t i = 0; i < 3000; ++i) {
    texts.emplace_back(i % 7 == 0 ? 0 : i % 50, static_cast<char>('a' + i % 26));
    all += texts.back();
  }
  std::vector<Bytes> parts;
  for (const std::string& text : texts) parts.push_back(AsBytes(text));
  auto writer = store_->Create("a").value();
  ASSERT_TRUE(writer->Append(AsBytes("head")).ok());
  ASSERT_TRUE(writer->Append(parts).ok());
  ASSERT_TRUE(writer->Append(std::span<const Bytes>()).ok());
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_EQ(Text(*store_, "a"), "head" + all);
}

TEST_P(StoreContract, OneWriterAtATime) {
  auto first = store_->Create("a").value();
  EXPECT_EQ(store_->Create("a").status().code(), Code::kUnavailable);
  EXPECT_TRUE(store_->Create("b").ok());
  first.reset();
  EXPECT_EQ(PutCode(*store_, "a"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "a"), Code::kOk);
}

TEST_P(StoreContract, OpenObjectOutlivesItsReplacement) {
  const std::string old_text(1 << 20, 'o');  // Mapped where the store maps.
  EXPECT_EQ(PutCode(*store_, "a", old_text), Code::kOk);
  auto object = store_->Open("a").value();
  const Blob before = object->Read(0, old_text.size()).value();
  EXPECT_EQ(PutCode(*store_, "a", "new"), Code::kOk);
  EXPECT_EQ(AsText(object->Read(0, 3).value().bytes), "ooo");
  object.reset();
  EXPECT_TRUE(store_->Remove("a").ok());
  store_.reset();
  EXPECT_EQ(AsText(before.bytes), old_text);
}

TEST_P(StoreContract, RangesOfSmallAndLargeObjects) {
  for (const size_t size : {size_t{10}, size_t{3} << 20}) {
    std::string text(size, '\0');
    for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 31 + i / 251);
    EXPECT_EQ(PutCode(*store_, "a", text), Code::kOk);
    const auto object = store_->Open("a").value();
    EXPECT_EQ(object->size(), size);
    for (const size_t offset : {size_t{0}, size_t{7}, size / 3, size - 1, size}) {
      for (const size_t length : {size_t{0}, size_t{1}, (size - offset) / 2, size - offset}) {
        if (length > size - offset) continue;
        const Blob blob = object->Read(offset, length).value();
        ASSERT_EQ(AsText(blob.bytes), std::string_view(text).substr(offset, length));
      }
    }
  }
}

TEST_P(StoreContract, LargeObjectsWrittenInPieces) {
  std::string text(size_t{21} << 20, '\0');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 31 + i / 65521);
  auto writer = store_->Create("large").value();
  const size_t piece = size_t{3} << 20;
  for (size_t at = 0; at < text.size(); at += piece) {
    ASSERT_TRUE(writer->Append(AsBytes(std::string_view(text).substr(at, piece))).ok());
  }
  EXPECT_FALSE(store_->Exists("large"));
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_TRUE(Text(*store_, "large") == text);
}

TEST_P(StoreContract, ReadsManyInTheirOrder) {
  Keys keys;
  for (int i = 0; i < 50; ++i) {
    keys.push_back("many/" + std::to_string(i));
    EXPECT_EQ(PutCode(*store_, keys.back(), keys.back()), Code::kOk);
  }
  keys.insert(keys.begin() + 7, "many/none");
  const auto blobs = store_->ReadMany(keys);
  ASSERT_EQ(blobs.size(), keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i == 7) {
      EXPECT_EQ(blobs[i].status().code(), Code::kNotFound);
    } else {
      EXPECT_EQ(AsText(blobs[i].value().bytes), keys[i]);
    }
  }
  EXPECT_TRUE(store_->ReadMany({}).empty());
}

TEST_P(StoreContract, CountsTheBytesBelowAPrefix) {
  EXPECT_EQ(store_->BytesBelow("").value(), 0u);
  EXPECT_EQ(PutCode(*store_, "a/1", "123"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "a/b/2", "1234"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "c", "12345"), Code::kOk);
  EXPECT_EQ(store_->BytesBelow("").value(), 12u);
  EXPECT_EQ(store_->BytesBelow("a/").value(), 7u);
  EXPECT_EQ(store_->BytesBelow("../").status().code(), Code::kInvalid);
}

TEST_P(StoreContract, RangeBeyondTheEndIsTruncated) {
  EXPECT_EQ(PutCode(*store_, "a", "0123456789"), Code::kOk);
  const auto object = store_->Open("a").value();
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const std::pair<uint64_t, uint64_t> ranges[] = {{0, 11},   {10, 1},      {11, 0},
                                                  {5, kMax}, {kMax, kMax}, {kMax - 3, 8}};
  for (const auto& [offset, length] : ranges) {
    const Status status = object->Read(offset, length).status();
    EXPECT_EQ(status.code(), Code::kTruncated) << offset << " " << length;
    EXPECT_NE(status.message().find(store_->Locate("a")), std::string::npos) << status.message();
    EXPECT_NE(status.message().find(std::to_string(length)), std::string::npos);
  }
}

TEST_P(StoreContract, HostileKeysAreRefused) {
  const std::string_view bad[] = {
      "", "/abs", "a/../b", "..", "a//b", "./a", "a/", "a.tmp", std::string_view("a\0b", 3)};
  for (const std::string_view key : bad) {
    EXPECT_EQ(store_->Open(key).status().code(), Code::kInvalid) << key;
    EXPECT_EQ(store_->Create(key).status().code(), Code::kInvalid) << key;
    EXPECT_EQ(store_->PutIfAbsent(key, {}).code(), Code::kInvalid) << key;
    EXPECT_EQ(store_->Remove(key).code(), Code::kInvalid) << key;
    EXPECT_FALSE(store_->Exists(key)) << key;
  }
  for (const char* prefix : {"/", "/etc", "../", "a/../", "a//", "./"}) {
    EXPECT_EQ(store_->List(prefix).status().code(), Code::kInvalid) << prefix;
    EXPECT_EQ(store_->WatchPrefix(prefix).status().code(), Code::kInvalid) << prefix;
  }
}

TEST_P(StoreContract, ListsInByteOrder) {
  const Keys keys = {"a-b", "a.b", "a/b-c/x", "a/b/c", "a/c", "a0", "ab", "\xc3\xa4"};
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    EXPECT_EQ(PutCode(*store_, *key), Code::kOk) << *key;
  }
  EXPECT_EQ(store_->List("").value(), keys);
}

TEST_P(StoreContract, ListsAPrefixAndWhatComesAfter) {
  const Keys keys = {"index/000/1", "index/000/2", "index/001/3", "index/010/4", "other/5", "top"};
  for (const std::string& key : keys) EXPECT_EQ(PutCode(*store_, key), Code::kOk);
  const auto list = [&](std::string_view prefix, std::string_view after = {}) {
    return store_->List(prefix, after).value();
  };
  EXPECT_EQ(list("").size(), 6u);
  EXPECT_EQ(list("index/").size(), 4u);
  EXPECT_EQ(list("index"), list("index/"));
  EXPECT_EQ(list("index/00"), (Keys{"index/000/1", "index/000/2", "index/001/3"}));
  EXPECT_EQ(list("index/000/2"), Keys{"index/000/2"});
  EXPECT_EQ(list("index/000/2/"), Keys());
  EXPECT_EQ(list("nothing/here"), Keys());
  EXPECT_EQ(list("index/", "index/000/1"), (Keys{"index/000/2", "index/001/3", "index/010/4"}));
  EXPECT_EQ(list("index/", "index/000/19"), (Keys{"index/000/2", "index/001/3", "index/010/4"}));
  EXPECT_EQ(list("index/", "index/001"), (Keys{"index/001/3", "index/010/4"}));
  EXPECT_EQ(list("index/", "index/010/4"), Keys());
  EXPECT_EQ(list("index/", "a").size(), 4u);
  EXPECT_EQ(list("index/", "z"), Keys());
  EXPECT_EQ(list("", "index/010/4"), (Keys{"other/5", "top"}));
}

TEST_P(StoreContract, RemoveTakesOneObject) {
  EXPECT_EQ(PutCode(*store_, "d/a"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "d/b"), Code::kOk);
  EXPECT_TRUE(store_->Remove("d/a").ok());
  EXPECT_TRUE(store_->Remove("d").ok());
  EXPECT_EQ(store_->List("").value(), Keys{"d/b"});
}

TEST_P(StoreContract, PutIfAbsentNeverReplaces) {
  EXPECT_TRUE(store_->PutIfAbsent("d/claim", AsBytes("first")).ok());
  EXPECT_EQ(store_->PutIfAbsent("d/claim", AsBytes("second")).code(), Code::kExists);
  EXPECT_EQ(Text(*store_, "d/claim"), "first");
  EXPECT_EQ(store_->List("").value(), Keys{"d/claim"});
  EXPECT_TRUE(store_->Remove("d/claim").ok());
  EXPECT_TRUE(store_->PutIfAbsent("d/claim", AsBytes("third")).ok());
  EXPECT_EQ(Text(*store_, "d/claim"), "third");
}

TEST_P(StoreContract, OfManyWhoClaimOneSucceeds) {
  for (int round = 0; round < 20; ++round) {
    const std::string key = "claims/" + std::to_string(round);
    std::atomic<int> won = 0;
    std::atomic<int> lost = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        const std::string body(5000, static_cast<char>('a' + i));
        const Code code = store_->PutIfAbsent(key, AsBytes(body)).code();
        won += code == Code::kOk;
        lost += code == Code::kExists;
      });
    }
    threads.clear();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(lost, 5);
    const std::string text = Text(*store_, key);
    EXPECT_EQ(text, std::string(5000, text[0]));
  }
}

TEST_P(StoreContract, WritersAtOnceLeaveAWholeObject) {
  EXPECT_EQ(PutCode(*store_, "a", std::string(1000, 'x')), Code::kOk);
  std::atomic<int> written = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      const std::string body(1000 + 100000 * i, static_cast<char>('a' + i));
      for (int round = 0; round < 100; ++round) {
        const Code code = PutCode(*store_, "a", body);
        EXPECT_TRUE(code == Code::kOk || code == Code::kUnavailable) << CodeName(code);
        written += code == Code::kOk;
      }
    });
  }
  for (int round = 0; round < 300; ++round) {
    const std::string text = Text(*store_, "a");
    ASSERT_TRUE(text == std::string(text.size(), text[0]));
    ASSERT_EQ(text.size() % 1000, 0u);
  }
  threads.clear();
  EXPECT_GT(written, 0);
}

TEST_P(StoreContract, WatchTellsOfNewAndReplaced) {
  EXPECT_EQ(PutCode(*store_, "index/old"), Code::kOk);
  auto watch = store_->WatchPrefix("index/").value();
  EXPECT_FALSE(watch->Wait(milliseconds(0)));
  EXPECT_EQ(PutCode(*store_, "index/new"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "index/old"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "elsewhere"), Code::kOk);
  EXPECT_TRUE(store_->PutIfAbsent("index/claim", AsBytes("x")).ok());
  const std::set<std::string> wanted = {"index/new", "index/old", "index/claim"};
  const Told told = Listen(*watch, wanted);
  EXPECT_EQ(told.keys, wanted);
  EXPECT_FALSE(told.list_again);
}

TEST_P(StoreContract, WatchOfAPartOfAName) {
  EXPECT_EQ(PutCode(*store_, "index/000/0"), Code::kOk);
  auto watch = store_->WatchPrefix("index/01").value();
  EXPECT_EQ(PutCode(*store_, "index/000/1"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "index/020/1"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "index/010/1"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "index/01"), Code::kOk);
  const std::set<std::string> wanted = {"index/010/1", "index/01"};
  EXPECT_EQ(Listen(*watch, wanted).keys, wanted);
}

TEST_P(StoreContract, WatchWaitsNoLongerThanAsked) {
  EXPECT_EQ(PutCode(*store_, "a"), Code::kOk);
  auto watch = store_->WatchPrefix("").value();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(watch->Wait(milliseconds(50)));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(50));
  EXPECT_TRUE(watch->Take().keys.empty());
  // Neither a writer that is not done nor a removal is something that appeared.
  auto writer = store_->Create("b").value();
  ASSERT_TRUE(writer->Append(AsBytes("b")).ok());
  EXPECT_TRUE(store_->Remove("a").ok());
  EXPECT_FALSE(watch->Wait(milliseconds(50)));
}

TEST_P(StoreContract, WatchWakesAWaitingThread) {
  auto watch = store_->WatchPrefix("").value();
  const std::jthread writer([&] {
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_EQ(PutCode(*store_, "a/b"), Code::kOk);
  });
  EXPECT_TRUE(watch->Wait(milliseconds::max()));
  EXPECT_EQ(watch->Take().keys, Keys{"a/b"});
}

TEST_P(StoreContract, WatchAndWritersOutliveTheStore) {
  auto watch = store_->WatchPrefix("").value();
  auto writer = store_->Create("a").value();
  store_.reset();
  ASSERT_TRUE(writer->Append(AsBytes("x")).ok());
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_TRUE(Listen(*watch, {"a"}).Has({"a"}));
}

}  // namespace
}  // namespace warden::storage
