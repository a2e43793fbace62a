#include "warden/timeline/profile_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "warden/format/profiler_layout.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/import/span_table.h"
#include "warden/timeline/metric_table.h"

namespace warden::timeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMetrics = "system/incremental/2026010112/1767268800.algo-1.json";
constexpr const char* kTrace =
    "framework/pevents/2026010112/1767268800123456_88-algo-1_pythontimeline.json";

// A run, and a folder that does not belong to it.
class ProfileFilesTest : public testing::Test {
 protected:
  ProfileFilesTest() { fs::create_directories(Run("")); }

  fs::path Run(const std::string& path) const { return folder_.path() / "run" / path; }
  fs::path Elsewhere(const std::string& path) const { return folder_.path() / "elsewhere" / path; }
  std::string Profile() const { return Run("profiler-output"); }

  static void Write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  // One line and one span.
  static void WriteProfile(const fs::path& folder) {
    Write(folder / kMetrics,
          R"({"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":5,)"
          R"("NodeId":"algo-1","Timestamp":1767268800.5})"
          "\n");
    Write(folder / kTrace, R"([{"name":"step","pid":1,"ph":"X","ts":1,"dur":1}])");
  }
  static void Link(const fs::path& to, const fs::path& at) {
    fs::create_directories(at.parent_path());
    fs::create_symlink(to, at);
  }
  // How much readers find: lines of metrics and spans.
  static std::pair<size_t, size_t> CountsOf(const std::string& folder) {
    const auto metrics = ReadMetrics(folder, {});
    const auto spans = ReadSpans(folder, {});
    return {metrics.ok() ? metrics.value().size() : 0, spans.ok() ? spans.value().spans.size() : 0};
  }

  const os::TempFolder folder_;
};

using Counts = std::pair<size_t, size_t>;

TEST_F(ProfileFilesTest, FoldersThatLeadOutOfTheRunAreNotEntered) {
  WriteProfile(Elsewhere("profile"));
  Link(Elsewhere("profile"), Profile());
  EXPECT_EQ(CountsOf(Profile()), Counts(0, 0));
  fs::remove(Profile());
  for (const char* part : {"system", "framework"}) {
    Link(Elsewhere("profile") / part, fs::path(Profile()) / part);
  }
  EXPECT_EQ(CountsOf(Profile()), Counts(0, 0));
  EXPECT_TRUE(ListFolder(Profile(), "system/").empty());
}

TEST_F(ProfileFilesTest, FilesThatLeadOutOfTheRunAreNotRead) {
  WriteProfile(Elsewhere("profile"));
  for (const char* key : {kMetrics, kTrace}) {
    Link(Elsewhere("profile") / key, fs::path(Profile()) / key);
  }
  // Data parallelism writes beside the folders.
  Link(Elsewhere("profile") / kTrace,
       fs::path(Profile()) / "88-algo-1_smdataparallel_timeline.json.tmp");
  EXPECT_TRUE(MetricFiles(Profile(), {}, kTimeBufferUs, true).empty());
  EXPECT_TRUE(TraceFiles(Profile(), {}, kTimeBufferUs, true, {}).empty());
  EXPECT_EQ(CountsOf(Profile()), Counts(0, 0));
}

TEST_F(ProfileFilesTest, LinksInsideTheRunAreFollowed) {
  WriteProfile(Run("data"));
  Link("data", Profile());
  EXPECT_EQ(CountsOf(Profile()), Counts(1, 1));
  fs::remove(Profile());
  for (const char* part : {"system", "framework"}) {
    Link(Run("data") / part, fs::path(Profile()) / part);
  }
  EXPECT_EQ(CountsOf(Profile()), Counts(1, 1));
  fs::remove_all(Profile());
  for (const char* key : {kMetrics, kTrace}) Link(Run("data") / key, fs::path(Profile()) / key);
  EXPECT_EQ(CountsOf(Profile()), Counts(1, 1));
}

TEST_F(ProfileFilesTest, ARunMayBeReachedByALink) {
  WriteProfile(Profile());
  Link(Run(""), folder_.path() / "link");
  EXPECT_EQ(CountsOf(folder_.path() / "link/profiler-output"), Counts(1, 1));
  const fs::path before = fs::current_path();
  fs::current_path(Run(""));
  fs::rename(Run("profiler-output/framework"), Run("moved"));
  Link("../moved", Run("profiler-output/framework"));
  EXPECT_EQ(CountsOf("profiler-output"), Counts(1, 1));
  EXPECT_EQ(CountsOf("profiler-output/"), Counts(1, 1));
  fs::current_path(before);
}

TEST_F(ProfileFilesTest, AFolderOfAnotherNameIsTheRootItself) {
  WriteProfile(Elsewhere("profile"));
  Link(Elsewhere("profile"), Run("named"));
  EXPECT_EQ(CountsOf(Run("named")), Counts(1, 1));
  fs::rename(Elsewhere("profile/system"), Elsewhere("system"));
  Link(Elsewhere("system"), Elsewhere("profile/system"));
  EXPECT_EQ(CountsOf(Run("named")), Counts(0, 1));
}

TEST_F(ProfileFilesTest, TheUserMayNameALink) {
  WriteProfile(Elsewhere("profile"));
  const fs::path link = folder_.path() / "profiler-output";
  Link(Elsewhere("profile"), link);
  for (const std::string& named : {link.string(), link.string() + "/"}) {
    EXPECT_EQ(CountsOf(NamedProfile(named)), Counts(1, 1)) << named;
  }
  for (const char* other : {"", "none/profiler-output", "/"}) {
    EXPECT_EQ(NamedProfile(other), other);
  }
}

TEST_F(ProfileFilesTest, ALinkThatComesBetweenListingAndReadingIsNotFollowed) {
  WriteProfile(Profile());
  WriteProfile(Elsewhere("profile"));
  const auto metrics = MetricFiles(Profile(), {}, kTimeBufferUs, true);
  const auto traces = TraceFiles(Profile(), {}, kTimeBufferUs, true, {});
  ASSERT_EQ(metrics.size(), 1u);
  ASSERT_EQ(traces.size(), 1u);
  fs::remove_all(Profile());
  Link(Elsewhere("profile"), Profile());
  PaddedText text;
  EXPECT_EQ(ReadFileRange(metrics[0], 0, 100, &text).code(), Code::kNotFound);
  EXPECT_EQ(text.size(), 0u);
  Names names;
  TraceReaders readers(&names, true);
  const auto take = [](const TraceSpan& /*span*/) { ADD_FAILURE() << "read through a link"; };
  EXPECT_EQ(ReadTraceFile(traces[0], readers.Of(traces[0]), take).code(), Code::kNotFound);
}

TEST_F(ProfileFilesTest, PipesAreNoFiles) {
  for (const char* key : {kMetrics, kTrace}) {
    const fs::path path = fs::path(Profile()) / key;
    fs::create_directories(path.parent_path());
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  }
  const fs::path link = fs::path(Profile()) / "framework/rank0.pt.trace.json";
  Link(fs::path(Profile()) / kTrace, link);
  EXPECT_EQ(CountsOf(Profile()), Counts(0, 0));
  EXPECT_EQ(ReadSpansOfFile(link, {}).status().code(), Code::kNotFound);
}

TEST_F(ProfileFilesTest, FilesAroundATimeAreThoseOfItsMinutes) {
  constexpr int64_t kHour = 1'767'268'800;  // 12:00 on the first of January.
  const auto path = [&](int64_t minute) {
    return fs::path(Profile()) / format::MetricFileKey(minute, "algo-1");
  };
  for (const int64_t minute : {kHour - 120, kHour - 60, kHour, kHour + 60, kHour + 120}) {
    Write(path(minute), "");
  }
  const auto times = [&](int64_t from, int64_t to) {
    std::vector<int64_t> minutes;
    for (const MetricFile& file : MetricFilesAround(Profile(), {from * 1'000'000, to * 1'000'000}))
      minutes.push_back((file.time_us / 1'000'000 - kHour) / 60);
    return minutes;
  };
  EXPECT_EQ(times(kHour - 5, kHour + 5), (std::vector<int64_t>{-1, 0}));
  EXPECT_EQ(times(kHour + 10, kHour + 20), (std::vector<int64_t>{0}));
  EXPECT_TRUE(times(kHour - 7200, kHour - 7100).empty());
}

}  // namespace
}  // namespace warden::timeline
