#include "warden/storage/s3/cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "warden/os/temp_folder_for_test.h"

namespace warden::storage::s3 {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
 protected:
  static std::string TextOf(Cache* cache, std::string_view name) {
    const auto bytes = cache->Get(name);
    return bytes ? std::string(AsText(*bytes)) : "nothing";
  }
  uint64_t BytesOnDisk() const {
    uint64_t sum = 0;
    for (const auto& file : fs::recursive_directory_iterator(folder_.path())) {
      if (file.is_regular_file()) sum += file.file_size();
    }
    return sum;
  }
  std::string Folder() const { return (folder_.path() / "made").string(); }

  os::TempFolder folder_;
};

TEST_F(CacheTest, GivesWhatWasPut) {
  Cache cache(Folder(), 1 << 20);
  EXPECT_EQ(TextOf(&cache, "a"), "nothing");
  cache.Put("a", AsBytes("one"));
  cache.Put("b", AsBytes(""));
  EXPECT_EQ(TextOf(&cache, "a"), "one");
  EXPECT_EQ(TextOf(&cache, "b"), "");
  Cache another(Folder(), 1 << 20);
  EXPECT_EQ(TextOf(&another, "a"), "one");
  another.Put("a", AsBytes("two"));
  EXPECT_EQ(TextOf(&cache, "a"), "two");
  EXPECT_EQ(fs::status(Folder()).permissions() & fs::perms::all, fs::perms::owner_all);
}

TEST_F(CacheTest, StaysWithinItsBoundAndKeepsWhatIsUsed) {
  constexpr uint64_t kMost = 64 << 10;
  Cache cache(Folder(), kMost);
  const std::string text(4000, 'x');
  cache.Put("often", AsBytes(text));
  for (int i = 0; i < 100; ++i) {
    cache.Put("once" + std::to_string(i), AsBytes(text));
    // Others were used an hour ago.
    for (const auto& file : fs::recursive_directory_iterator(Folder())) {
      if (file.is_regular_file()) {
        fs::last_write_time(file, file.last_write_time() - std::chrono::hours(1));
      }
    }
    EXPECT_EQ(TextOf(&cache, "often"), text);
    EXPECT_LE(BytesOnDisk(), kMost);
  }
  EXPECT_EQ(TextOf(&cache, "once99"), text);
  EXPECT_EQ(TextOf(&cache, "once0"), "nothing");
  cache.Put("large", AsBytes(std::string(kMost / 4, 'y')));
  EXPECT_EQ(TextOf(&cache, "large"), "nothing");
}

TEST_F(CacheTest, WhatIsDamagedIsNotThere) {
  Cache cache(Folder(), 1 << 20);
  cache.Put("a", AsBytes("content"));
  for (const auto& file : fs::recursive_directory_iterator(Folder())) {
    if (file.is_regular_file()) fs::resize_file(file, file.file_size() - 1);
  }
  EXPECT_EQ(TextOf(&cache, "a"), "nothing");
  Cache nowhere("/proc/nowhere", 1 << 20);
  nowhere.Put("a", AsBytes("content"));
  EXPECT_EQ(TextOf(&nowhere, "a"), "nothing");
}

TEST_F(CacheTest, VariablesChooseIt) {
  const auto with = [&](const std::string& folder, const std::string& megabytes) {
    return Cache::FromVariables([=](const char* name) {
      return std::string(name) == "WARDEN_S3_CACHE"      ? folder
             : std::string(name) == "WARDEN_S3_CACHE_MB" ? megabytes
                                                         : "";
    });
  };
  const auto on = with(Folder(), "1").value();
  on->Put("a", AsBytes("x"));
  EXPECT_EQ(TextOf(on.get(), "a"), "x");
  const auto off = with("off", "").value();
  off->Put("a", AsBytes("x"));
  EXPECT_EQ(TextOf(off.get(), "a"), "nothing");
  EXPECT_NE(with(Folder(), "0").status().message().find("WARDEN_S3_CACHE_MB is \"0\""),
            std::string::npos);
}

}  // namespace
}  // namespace warden::storage::s3
