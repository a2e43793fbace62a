#include "warden/storage/shortened_files.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_parts.h"
#include "warden/storage/storage_for_test.h"

namespace warden::storage {
namespace {

constexpr size_t kSize = 1 << 20;

std::string WriteFile(const os::TempFolder& folder, const std::string& name) {
  const std::string path = folder.path() / name;
  std::ofstream(path, std::ios::binary) << std::string(kSize, 'x');
  return path;
}

TEST(ShortenedFilesTest, WhatIsMissingReadsAsZeros) {
  SurviveShortenedFiles();
  os::TempFolder folder;
  const std::string path = WriteFile(folder, "file");
  const auto object = OpenLocalObject("", path).value();
  const Blob blob = object->Read(0, kSize).value();
  EXPECT_EQ(blob.bytes[kSize - 1], std::byte{'x'});
  const Blob other = object->Read(5, kSize - 5).value();
  std::filesystem::resize_file(path, 4096);
  EXPECT_EQ(blob.bytes[0], std::byte{'x'});
  for (size_t i = 4096; i < kSize; i += 1000) ASSERT_EQ(blob.bytes[i], std::byte{0}) << i;
  EXPECT_EQ(other.bytes[kSize - 6], std::byte{0});
}

TEST(ShortenedFilesTest, AreReportedWhenTheLastReaderIsDone) {
  SurviveShortenedFiles();
  os::TempFolder folder;
  const std::string path = WriteFile(folder, "file");
  const auto object = OpenLocalObject("", path).value();
  const uint64_t before = ShortenedFiles();
  {
    const Blob whole = object->Read(0, kSize).value();
  }
  EXPECT_EQ(ShortenedFiles(), before);
  {
    const Blob blob = object->Read(0, kSize).value();
    // The rest of the last page reads as zeros without any signal.
    std::filesystem::resize_file(path, kSize - 1);
    EXPECT_EQ(blob.bytes[kSize - 1], std::byte{0});
  }
  EXPECT_EQ(ShortenedFiles(), before + 1);
}

TEST(ShortenedFilesTest, ReplacedAndRemovedFilesAreNotShortened) {
  SurviveShortenedFiles();
  os::TempFolder folder;
  const std::string path = WriteFile(folder, "file");
  const uint64_t before = ShortenedFiles();
  {
    const Blob blob = OpenLocalObject("", path).value()->Read(0, kSize).value();
    std::filesystem::rename(folder.Write("other", "short"), path);
  }
  {
    const Blob blob = OpenLocalObject("", WriteFile(folder, "b")).value()->Read(0, kSize).value();
  }
  std::filesystem::remove(folder.File("b"));
  EXPECT_EQ(ShortenedFiles(), before);
}

// As in Python, whose handlers are not ours to change.
TEST(ShortenedFilesDeathTest, AProcessThatDidNotAskHasCopies) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        os::TempFolder folder;
        const std::string path = WriteFile(folder, "file");
        const Blob blob = OpenLocalObject("", path).value()->Read(0, kSize).value();
        std::filesystem::resize_file(path, 0);
        std::exit(blob.bytes[kSize - 1] == std::byte{'x'} ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(ShortenedFilesTest, MoreMappingsThanCanBeLookedAfterAreCopied) {
  SurviveShortenedFiles();
  os::TempFolder folder;
  const std::string path = WriteFile(folder, "file");
  const auto object = OpenLocalObject("", path).value();
  constexpr size_t kPart = 256 << 10;
  std::vector<Blob> blobs;
  for (int i = 0; i < 4200; ++i) blobs.push_back(object->Read(0, kPart).value());
  std::filesystem::resize_file(path, 0);
  for (const Blob& blob : blobs) {
    const std::byte last = blob.bytes[kPart - 1];
    EXPECT_TRUE(last == std::byte{0} || last == std::byte{'x'});
  }
}

TEST(ShortenedFilesDeathTest, OtherFaultsEndTheProcessAsEver) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_DFL);  // A sanitizer has a handler of its own.
        SurviveShortenedFiles();
        raise(SIGBUS);
      },
      testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace warden::storage
