#include "warden/storage/local_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::storage {
namespace {

namespace fs = std::filesystem;

class LocalStoreTest : public testing::Test {
 protected:
  fs::path At(std::string_view key) const { return folder_.path() / key; }

  os::TempFolder folder_;
  std::unique_ptr<Store> store_ = NewLocalStore(folder_.path());
};

TEST_F(LocalStoreTest, WritesBesideItsPlaceAndRenames) {
  auto writer = store_->Create("d/a").value();
  EXPECT_TRUE(fs::exists(At("d/a.tmp")));
  EXPECT_FALSE(fs::exists(At("d/a")));
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_FALSE(fs::exists(At("d/a.tmp")));
  EXPECT_TRUE(fs::exists(At("d/a")));
}

TEST_F(LocalStoreTest, AbandonedWriterLeavesNoFile) {
  store_->Create("a").value().reset();
  EXPECT_TRUE(store_->PutIfAbsent("b", {}).ok());
  EXPECT_EQ(store_->PutIfAbsent("b", {}).code(), Code::kExists);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(LocalStoreTest, TakesOverWhatAKilledProcessLeft) {
  const pid_t child = fork();
  if (child == 0) {
    auto writer = store_->Create("a");
    const bool ok = writer.ok() && writer.value()->Append(AsBytes("long and unfinished")).ok();
    _exit(ok ? 0 : 1);
  }
  int state = 1;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  ASSERT_EQ(state, 0);
  EXPECT_EQ(fs::file_size(At("a.tmp")), 19u);
  EXPECT_EQ(store_->List("").value(), Keys());
  EXPECT_EQ(PutCode(*store_, "a", "whole"), Code::kOk);
  EXPECT_EQ(Text(*store_, "a"), "whole");
  EXPECT_FALSE(fs::exists(At("a.tmp")));
}

TEST_F(LocalStoreTest, WritesToNoLinkOrPipeInPlaceOfTheTemporary) {
  std::ofstream(At("victim")) << "precious";
  fs::create_symlink(At("victim"), At("a.tmp"));
  EXPECT_EQ(PutCode(*store_, "a"), Code::kIo);
  EXPECT_EQ(Text(*store_, "victim"), "precious");
  ASSERT_EQ(mkfifo(At("b.tmp").c_str(), 0600), 0);
  EXPECT_EQ(PutCode(*store_, "b"), Code::kIo);
}

TEST_F(LocalStoreTest, FailedWriteNamesTheFileAndLeavesNothing) {
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  rlimit limit = old_limit;
  limit.rlim_cur = 1000;  // The first write is a part, the second fails.
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  auto writer = store_->Create("a").value();
  const Status status = writer->Append(AsBytes(std::string(5000, 'x')));
  EXPECT_EQ(writer->Commit().code(), Code::kInvalid);
  EXPECT_EQ(store_->PutIfAbsent("b", AsBytes(std::string(5000, 'x'))).code(), Code::kIo);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  std::signal(SIGXFSZ, old_handler);

  EXPECT_EQ(status.code(), Code::kIo);
  EXPECT_EQ(status.message(), "cannot write " + At("a.tmp").native() + ": File too large");
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(LocalStoreTest, FolderInTheWay) {
  EXPECT_EQ(PutCode(*store_, "d/a"), Code::kOk);
  EXPECT_EQ(PutCode(*store_, "d"), Code::kIo);
  EXPECT_EQ(PutCode(*store_, "d/a/b"), Code::kIo);
  EXPECT_EQ(store_->List("").value(), Keys{"d/a"});
  EXPECT_EQ(PutCode(*store_, std::string(300, 'n')), Code::kInvalid);
}

TEST_F(LocalStoreTest, PipesSocketsAndFoldersAreNoObjects) {
  ASSERT_EQ(mkfifo(At("fifo").c_str(), 0600), 0);
  fs::create_directory(At("folder"));
  fs::create_symlink("nowhere", At("dangling"));
  for (const char* key : {"fifo", "folder", "dangling"}) {
    EXPECT_EQ(store_->Open(key).status().code(), Code::kNotFound) << key;
    EXPECT_FALSE(store_->Exists(key)) << key;
  }
  EXPECT_EQ(store_->List("").value(), Keys());
}

TEST_F(LocalStoreTest, FollowsLinksInside) {
  EXPECT_EQ(PutCode(*store_, "real/x", "linked"), Code::kOk);
  fs::create_directory_symlink(At("real"), At("folder"));
  fs::create_symlink("real/x", At("file"));
  EXPECT_EQ(store_->List("").value(), (Keys{"file", "folder/x", "real/x"}));
  EXPECT_EQ(Text(*store_, "folder/x"), "linked");
  EXPECT_EQ(Text(*store_, "file"), "linked");
}

TEST_F(LocalStoreTest, FollowsNoLinksOut) {
  const os::TempFolder elsewhere;
  std::ofstream(elsewhere.path() / "x") << "secret";
  fs::create_directory_symlink(elsewhere.path(), At("folder"));
  fs::create_symlink(elsewhere.path() / "x", At("file"));
  fs::create_directory_symlink("/", At("index"));
  EXPECT_EQ(store_->List("").value(), Keys{"file"});
  EXPECT_EQ(store_->List("index/").value(), Keys());
  EXPECT_EQ(store_->Open("file").status().code(), Code::kNotFound);
  EXPECT_EQ(store_->Open("folder/x").status().code(), Code::kNotFound);
  EXPECT_EQ(store_->Open("index/etc/passwd").status().code(), Code::kNotFound);
  for (const char* key : {"file", "folder/x", "index/etc/passwd"}) {
    EXPECT_FALSE(store_->Exists(key)) << key;
  }
}

TEST_F(LocalStoreTest, MayItselfBeReachedByALink) {
  EXPECT_EQ(PutCode(*store_, "a/b", "text"), Code::kOk);
  const os::TempFolder elsewhere;
  fs::create_directory_symlink(folder_.path(), elsewhere.path() / "run");
  const auto store = NewLocalStore(elsewhere.File("run"));
  EXPECT_EQ(store->List("a/").value(), Keys{"a/b"});
  EXPECT_EQ(Text(*store, "a/b"), "text");
}

TEST_F(LocalStoreTest, LinksBackEnd) {
  EXPECT_EQ(PutCode(*store_, "a/b/c"), Code::kOk);
  fs::create_directory_symlink(folder_.path(), At("a/root"));
  fs::create_directory_symlink("..", At("a/b/up"));
  fs::create_directory_symlink(".", At("a/b/self"));
  fs::create_symlink("itself", At("a/itself"));
  EXPECT_EQ(store_->List("").value(), Keys{"a/b/c"});
  EXPECT_TRUE(store_->WatchPrefix("").ok());
}

TEST_F(LocalStoreTest, LinksAcrossEachOtherEnd) {
  constexpr int kFolders = 6;
  for (int i = 0; i < kFolders; ++i) {
    const std::string folder(1, static_cast<char>('a' + i));
    EXPECT_EQ(PutCode(*store_, folder + "/file"), Code::kOk);
    for (int j = 0; j < kFolders; ++j) {
      const std::string other(1, static_cast<char>('a' + j));
      fs::create_directory_symlink("../" + other, At(folder + "/to_" + other));
    }
  }
  const Keys keys = store_->List("").value();
  EXPECT_GE(keys.size(), 36u);
  EXPECT_LE(keys.size(), 4000u);
}

TEST_F(LocalStoreTest, FolderThatMayNotBeReadIsAnError) {
  EXPECT_EQ(PutCode(*store_, "d/a"), Code::kOk);
  const uid_t user = geteuid();
  fs::permissions(folder_.path(), fs::perms::none);
  ASSERT_EQ(seteuid(user == 0 ? 65534 : user), 0);  // Root may read everything.
  const Status list = store_->List("").status();
  const Status open = store_->Open("d/a").status();
  const Status watch = store_->WatchPrefix("").status();
  ASSERT_EQ(seteuid(user), 0);
  fs::permissions(folder_.path(), fs::perms::owner_all);
  EXPECT_EQ(list.code(), Code::kIo);
  EXPECT_NE(list.message().find(folder_.path().native()), std::string::npos) << list.message();
  EXPECT_EQ(open.code(), Code::kIo);
  EXPECT_EQ(watch.code(), Code::kUnavailable);
}

TEST_F(LocalStoreTest, FoldersBeforeStartAfterAreNotRead) {
  for (const char* key : {"index/000/1", "index/001/2", "index/002/3"}) {
    EXPECT_EQ(PutCode(*store_, key), Code::kOk);
  }
  const uid_t user = geteuid();
  fs::permissions(At("index/000"), fs::perms::none);
  ASSERT_EQ(seteuid(user == 0 ? 65534 : user), 0);
  const Code all = store_->List("index/").status().code();
  const Result<Keys> after = store_->List("index/", "index/001/1");
  ASSERT_EQ(seteuid(user), 0);
  fs::permissions(At("index/000"), fs::perms::owner_all);
  EXPECT_EQ(all, Code::kIo);
  EXPECT_EQ(after.value(), (Keys{"index/001/2", "index/002/3"}));
}

TEST_F(LocalStoreTest, FileThatShrankIsTruncated) {
  for (const size_t size : {size_t{1000}, size_t{4} << 20}) {
    EXPECT_EQ(PutCode(*store_, "a", std::string(size, 'x')), Code::kOk);
    const auto object = store_->Open("a").value();
    fs::resize_file(At("a"), size / 2);
    EXPECT_EQ(object->Read(0, size).status().code(), Code::kTruncated);
    EXPECT_TRUE(object->Read(0, size / 2).ok());
  }
}

TEST_F(LocalStoreTest, FollowsARootThatIsMadeAnew) {
  EXPECT_EQ(PutCode(*store_, "a", "old"), Code::kOk);
  fs::remove_all(folder_.path());
  EXPECT_FALSE(store_->Exists("a"));
  EXPECT_EQ(PutCode(*store_, "a", "new"), Code::kOk);
  EXPECT_EQ(Text(*store_, "a"), "new");
}

TEST_F(LocalStoreTest, StaysWhereItWasWhenTheWorkingFolderChanges) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  auto store = NewLocalStore("run");
  fs::current_path(before);
  EXPECT_EQ(PutCode(*store, "a"), Code::kOk);
  EXPECT_TRUE(fs::exists(At("run/a")));
}

}  // namespace
}  // namespace warden::storage
