// What the three settings of fsync bring to the disk, and when.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "warden/capture/capture_hook.h"
#include "warden/format/layout.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace {

using Files = std::set<std::string>;

// The files in the folder at each call of syncfs(2).
struct Calls {
  std::mutex mutex;
  std::vector<Files> files;
};

Calls& AllCalls() {
  static Calls calls;
  return calls;
}

Files FilesIn(const std::filesystem::path& folder) {
  Files files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(entry.path().lexically_relative(folder));
  }
  return files;
}

}  // namespace

// Takes the place of the C library's function in this program, and does what that does.
extern "C" int syncfs(int descriptor) noexcept {
  const std::string folder =
      std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", descriptor));
  const std::lock_guard lock(AllCalls().mutex);
  AllCalls().files.push_back(FilesIn(folder));
  return static_cast<int>(syscall(SYS_syncfs, descriptor));
}

namespace warden::capture {
namespace {

constexpr char kWorker[] = "worker_0";

class FsyncTest : public testing::Test {
 protected:
  // The calls while a run of three steps, of which the first and the last are saved, is written.
  std::vector<Files> CallsOf(config::Fsync fsync) {
    HookOptions options;
    options.config.out_dir = "run";
    options.config.fsync = fsync;
    options.config.include_collections = {"weights"};
    for (const Mode mode : kAllModes) options.config.save_config.mode(mode).save_interval = 2;
    std::shared_ptr<storage::Store> store = storage::OpenStore(folder_.File("run")).value();
    auto hook = Hook::Create(options, store).value();
    {
      const std::lock_guard lock(AllCalls().mutex);
      AllCalls().files.clear();
    }
    const float value = 1;
    for (int i = 0; i < 3; ++i) {
      hook->BeginStep();
      hook->Save("fc.weight", {&value, DType::kFloat32, {}});
      hook->EndStep();
      // Whatever belongs to a step is done before the next one.
      EXPECT_TRUE(hook->Flush().ok());
    }
    EXPECT_TRUE(hook->Close().ok());
    whole_ = FilesIn(folder_.File("run"));
    const std::lock_guard lock(AllCalls().mutex);
    return AllCalls().files;
  }

  static bool HasStep(const Files& files, Step step) {
    return files.contains(format::IndexFileKey(step, kWorker)) &&
           files.contains(format::EventFileKey(step, kWorker)) &&
           files.contains(format::ManifestKey(kWorker));
  }

  const os::TempFolder folder_;
  Files whole_;  // All files in the end.
};

TEST_F(FsyncTest, OffWaitsForNoDisk) { EXPECT_EQ(CallsOf(config::Fsync::kOff).size(), 0U); }

TEST_F(FsyncTest, CloseWaitsOnceForTheWholeRun) {
  const std::vector<Files> calls = CallsOf(config::Fsync::kClose);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0], whole_);
  EXPECT_TRUE(HasStep(calls[0], 0) && HasStep(calls[0], 2));
  EXPECT_TRUE(calls[0].contains(std::string(format::kEndMarker)));
}

TEST_F(FsyncTest, StepWaitsForEachSavedStepAndForTheEnd) {
  const std::vector<Files> calls = CallsOf(config::Fsync::kStep);
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_TRUE(HasStep(calls[0], 0));
  EXPECT_FALSE(HasStep(calls[0], 2));
  EXPECT_TRUE(HasStep(calls[1], 2));
  EXPECT_EQ(calls[2], whole_);
}

}  // namespace
}  // namespace warden::capture
