#include "warden/watch/profile_mirror.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>

#include "warden/os/whole_file.h"
#include "warden/storage/mem_store.h"

namespace warden::watch {
namespace {

constexpr char kPart[] = "system/incremental/2026010112/1767268800.algo-1.part";
constexpr char kMetrics[] = "system/incremental/2026010112/1767268800.algo-1.json";
constexpr char kTimeline[] =
    "framework/pevents/2026010112/1767268800123456_88-algo-1_pythontimeline.json";
constexpr char kTorch[] = "framework/host_1.pt.trace.json";
constexpr char kEnd[] = "system/training_job_end.ts";

class ProfileMirrorTest : public testing::Test {
 protected:
  ProfileMirrorTest() {
    auto store = storage::NewMemStore();
    store_ = store.get();
    mirror_ = ProfileMirror::Make(std::move(store)).value();
  }

  void Put(const char* key, const char* text) { ASSERT_TRUE(store_->Put(key, AsBytes(text)).ok()); }
  std::string PathOf(const char* key) const { return mirror_->folder() + "/" + key; }
  std::string TextOf(const char* key) const {
    return os::ReadPlainFile(PathOf(key), 1000).value_or("missing");
  }
  ino_t FileOf(const char* key) const {
    struct stat status = {};
    return stat(PathOf(key).c_str(), &status) == 0 ? status.st_ino : 0;
  }

  storage::Store* store_;
  std::unique_ptr<ProfileMirror> mirror_;
};

TEST_F(ProfileMirrorTest, CopiesProfilerFilesAlone) {
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_FALSE(mirror_->any());
  Put(kMetrics, "1\n");
  Put(kTimeline, "[]");
  Put("framework/pytorch/cprofile/0/stats", "other");
  Put(kEnd, "now");
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_TRUE(mirror_->any());
  EXPECT_EQ(TextOf(kMetrics), "1\n");
  EXPECT_EQ(TextOf(kTimeline), "[]");
  EXPECT_EQ(TextOf(kEnd), "now");
  EXPECT_EQ(TextOf("framework/pytorch/cprofile/0/stats"), "missing");
}

TEST_F(ProfileMirrorTest, ContinuesFilesThatGrow) {
  Put(kPart, "1\n");
  Put(kTorch, "[");
  ASSERT_TRUE(mirror_->Update().ok());
  const ino_t file = FileOf(kPart);
  Put(kPart, "1\n2\n");
  Put(kTorch, "[]");
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_EQ(TextOf(kPart), "1\n2\n");
  EXPECT_EQ(TextOf(kTorch), "[]");
  // The unfinished one stays in the store.
  Put(kMetrics, "1\n2\n3\n");
  ASSERT_TRUE(mirror_->Update().ok());
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_EQ(TextOf(kMetrics), "1\n2\n3\n");
  EXPECT_EQ(FileOf(kMetrics), file);
  EXPECT_EQ(TextOf(kPart), "missing");
}

TEST_F(ProfileMirrorTest, ReplacesFilesThatBeginAgain) {
  Put(kPart, "1\n2\n");
  ASSERT_TRUE(mirror_->Update().ok());
  Put(kPart, "3\n");
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_EQ(TextOf(kPart), "3\n");
}

TEST_F(ProfileMirrorTest, ListsManyFilesFromTheLastHoursOn) {
  const auto key = [](int hour, int second) {
    return fmt::format("system/incremental/20260101{:02}/{}.algo-1.json", hour,
                       1767225600 + second);
  };
  for (int i = 0; i < 1001; ++i) Put(key(10, i).c_str(), "1\n");
  Put(key(11, 5000).c_str(), "1\n");
  Put(key(12, 9000).c_str(), "1\n");
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_EQ(TextOf(key(10, 0).c_str()), "1\n");
  for (const int hour : {10, 11, 12, 13}) Put(key(hour, 9999).c_str(), "2\n");
  ASSERT_TRUE(mirror_->Update().ok());
  for (const int hour : {11, 12, 13}) EXPECT_EQ(TextOf(key(hour, 9999).c_str()), "2\n") << hour;
  EXPECT_EQ(TextOf(key(10, 9999).c_str()), "missing");
  // A host that was late is complete before the profile is.
  Put(kEnd, "now");
  ASSERT_TRUE(mirror_->Update().ok());
  EXPECT_EQ(TextOf(key(10, 9999).c_str()), "2\n");
  EXPECT_EQ(TextOf(kEnd), "now");
}

TEST_F(ProfileMirrorTest, LeavesNothing) {
  Put(kMetrics, "1\n");
  const std::string folder = mirror_->folder();
  mirror_->Follow();
  mirror_.reset();
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_FALSE(std::filesystem::exists(folder + ".lock"));
}

}  // namespace
}  // namespace warden::watch
