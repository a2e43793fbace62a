#include "warden/s3/object_meta.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <optional>

#include "warden/os/posix.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::s3 {
namespace {

class ObjectMetaTest : public testing::Test {
 protected:
  ObjectMetaTest() : fd_(open(folder_.File("object").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    fstat(fd_.get(), &info_);
  }

  // What is understood of a text that a program has put there; nothing if the system keeps none.
  std::optional<ObjectMeta> Read(const std::string& etag, const std::string& headers) {
    const std::string text = fmt::format(
        R"({{"size": {}, "changed": {}, "etag": "{}", "headers": {}}})", info_.st_size,
        info_.st_mtim.tv_sec * int64_t{1'000'000'000} + info_.st_mtim.tv_nsec, etag, headers);
    if (fsetxattr(fd_.get(), "user.tensorwarden.object", text.data(), text.size(), 0) != 0) {
      return std::nullopt;
    }
    return ReadMeta(fd_.get(), info_);
  }

  os::TempFolder folder_;
  const os::UniqueFd fd_;
  struct stat info_{};
};

TEST_F(ObjectMetaTest, OnlyHeadersThatAreKeptCount) {
  const auto meta = Read("e", R"({"content-type": "text/plain", "set-cookie": "a=b",
      "clear-site-data": "*", "refresh": "0;url=/", "x-amz-meta-a": "b",
      "Content-Type": "text/html", "x-amz-checksum-crc32": "AAAAAA==", "expires": 3})");
  if (!meta) GTEST_SKIP() << "files have no attributes here";
  EXPECT_EQ(meta->etag, "e");
  const http::Headers kept = {
      {"content-type", "text/plain"}, {"x-amz-meta-a", "b"}, {"x-amz-checksum-crc32", "AAAAAA=="}};
  EXPECT_EQ(meta->headers, kept);
}

TEST_F(ObjectMetaTest, AnObjectHasAnEtag) {
  const auto meta = Read("", "{}");
  if (!meta) GTEST_SKIP() << "files have no attributes here";
  EXPECT_TRUE(meta->etag.ends_with("-1")) << meta->etag;
}

}  // namespace
}  // namespace warden::s3
