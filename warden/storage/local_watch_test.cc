#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <thread>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/storage_for_test.h"

namespace warden::storage {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class LocalWatchTest : public testing::Test {
 protected:
  fs::path At(std::string_view key) const { return folder_.path() / "run" / key; }

  void Put(std::string_view key) { EXPECT_EQ(PutCode(*store_, key), Code::kOk) << key; }

  std::unique_ptr<Watch> WatchOf(std::string_view prefix) {
    return store_->WatchPrefix(prefix).value();
  }

  os::TempFolder folder_;
  std::unique_ptr<Store> store_ = NewLocalStore(folder_.path() / "run");
};

// No more descriptors for this process while it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &old_);
    rlimit none = old_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &old_); }

 private:
  rlimit old_;
};

TEST_F(LocalWatchTest, SeesFilesOfNewFolders) {
  Put("index/000/0");
  auto watch = WatchOf("index/");
  Put("index/000/1");
  Put("index/001/2");
  Put("index/002/deep/er/3");
  const std::set<std::string> wanted = {"index/000/1", "index/001/2", "index/002/deep/er/3"};
  EXPECT_EQ(Listen(*watch, wanted).keys, wanted);
  Put("index/002/deep/er/4");
  EXPECT_TRUE(Listen(*watch, {"index/002/deep/er/4"}).Has({"index/002/deep/er/4"}));
}

TEST_F(LocalWatchTest, SeesTheFolderOfThePrefixAppear) {
  auto watch = WatchOf("deep/index/");
  EXPECT_FALSE(watch->Wait(milliseconds(0)));
  fs::create_directories(folder_.path() / "run_of_another");
  EXPECT_FALSE(watch->Wait(milliseconds(20)));
  Put("deep/other");
  EXPECT_FALSE(watch->Wait(milliseconds(20)));
  Put("deep/index/a");
  EXPECT_TRUE(Listen(*watch, {"deep/index/a"}).Has({"deep/index/a"}));
  Put("deep/index/b");
  EXPECT_TRUE(Listen(*watch, {"deep/index/b"}).Has({"deep/index/b"}));
}

TEST_F(LocalWatchTest, MissesNothingOfABurst) {
  Put("index/first");
  auto watch = WatchOf("index/");
  std::set<std::string> wanted;
  for (int i = 0; i < 200; ++i) wanted.insert("index/f" + std::to_string(i) + "/g/file");
  const std::jthread writer([&] {
    for (const std::string& key : wanted) Put(key);
  });
  const Told told = Listen(*watch, wanted);
  EXPECT_TRUE(told.list_again || told.Has(wanted)) << told.keys.size();
}

TEST_F(LocalWatchTest, SeesFilesThatOthersWrite) {
  Put("d/first");
  auto watch = WatchOf("d/");
  std::ofstream(At("d/direct")) << "closed at the end of the statement";
  std::ofstream(At("d/unfinished.tmp")) << "x";
  fs::create_symlink("first", At("d/link"));
  fs::create_hard_link(At("d/first"), At("d/hard"));
  Put("elsewhere/x");
  fs::create_directory_symlink(At("elsewhere"), At("d/linked"));
  const std::set<std::string> wanted = {"d/direct", "d/link", "d/hard", "d/linked/x"};
  EXPECT_EQ(Listen(*watch, wanted).keys, wanted);
}

TEST_F(LocalWatchTest, FileThatIsNotClosedYetIsNotTold) {
  Put("first");
  auto watch = WatchOf("");
  std::ofstream file(At("slow"));
  file << "x" << std::flush;
  EXPECT_FALSE(watch->Wait(milliseconds(20)));
  file.close();
  EXPECT_TRUE(Listen(*watch, {"slow"}).Has({"slow"}));
}

TEST_F(LocalWatchTest, FoldersThatGoAndComeBack) {
  Put("index/000/0");
  auto watch = WatchOf("index/");
  fs::remove_all(At("index/000"));
  Put("index/000/0");
  EXPECT_TRUE(Listen(*watch, {"index/000/0"}).Has({"index/000/0"}));

  fs::remove_all(folder_.path() / "run");
  EXPECT_TRUE(watch->Wait(milliseconds(5000)));
  EXPECT_TRUE(watch->Take().list_again);
  Put("index/000/1");
  EXPECT_TRUE(Listen(*watch, {"index/000/1"}).Has({"index/000/1"}));
}

TEST_F(LocalWatchTest, FolderThatIsMovedAsksToList) {
  Put("index/000/0");
  auto watch = WatchOf("");
  fs::rename(At("index"), At("moved"));
  EXPECT_TRUE(Listen(*watch, {"none"}).list_again);
  Put("moved/000/1");
  EXPECT_EQ(Listen(*watch, {"moved/000/1"}).keys, std::set<std::string>{"moved/000/1"});
}

TEST_F(LocalWatchTest, RootThatIsMovedAndMadeAnew) {
  Put("deep/index/0");
  auto watch = WatchOf("deep/index/");
  fs::rename(folder_.path() / "run", folder_.path() / "old");
  Put("deep/index/1");
  EXPECT_TRUE(Listen(*watch, {"none"}).list_again);
  Put("deep/index/2");
  EXPECT_TRUE(Listen(*watch, {"deep/index/2"}).Has({"deep/index/2"}));
}

TEST_F(LocalWatchTest, LostEventsAskToList) {
  int64_t longest_queue = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> longest_queue;
  if (longest_queue > 100'000) GTEST_SKIP() << "the queue is too long to fill";
  Put("a");
  auto watch = WatchOf("");
  for (int64_t i = 0; i < longest_queue; ++i) {
    const bool even = i % 2 == 0;
    fs::rename(At(even ? "a" : "b"), At(even ? "b" : "a"));  // Equal events in a row count once.
  }
  Put("c");
  EXPECT_TRUE(Listen(*watch, {"none"}).list_again);
  Put("d");
  EXPECT_TRUE(Listen(*watch, {"d"}).Has({"d"}));
}

TEST_F(LocalWatchTest, WithoutInotifyItSaysSo) {
  Put("a");
  const NoDescriptors none;
  const Status status = store_->WatchPrefix("").status();
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_NE(status.message().find("limit"), std::string::npos) << status.message();
}

TEST_F(LocalWatchTest, BlindWatchAlwaysAsksToList) {
  Put("a");
  auto watch = WatchOf("");
  {
    const NoDescriptors none;
    fs::create_directory(At("new"));
    EXPECT_TRUE(watch->Wait(milliseconds(1000)));
  }
  EXPECT_TRUE(watch->Take().list_again);
  EXPECT_TRUE(watch->Wait(milliseconds(1)));
  EXPECT_TRUE(watch->Take().list_again);
}

}  // namespace
}  // namespace warden::storage
