#include "warden/capture/timeline_leftovers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "warden/base/json.h"
#include "warden/capture/timeline_file.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::capture {
namespace {

namespace fs = std::filesystem;

class TimelineLeftoversTest : public testing::Test {
 protected:
  TimelineLeftoversTest() { fs::create_directories(folder_.path() / "framework"); }

  void Write(const std::string& name, const std::string& text) {
    folder_.Write("framework/" + name, text);
  }
  std::vector<fs::path> Finished() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file() && entry.path().extension() == ".json") found.push_back(entry);
    }
    return found;
  }
  int Finish() { return FinishTimelines(folder_.path().string()); }

  os::TempFolder folder_;
};

constexpr char kEvent[] = R"({"name": "Net", "pid": 1, "ph": "X", "ts": 1, "dur": 2})";

TEST_F(TimelineLeftoversTest, GetTheEndingAndTheNameThatTheyLack) {
  Write("88-algo-1_pythontimeline.json.tmp", "[\n" + std::string(kEvent) + ",\n{\"name\": \"cut");
  EXPECT_EQ(Finish(), 1);
  ASSERT_EQ(Finished().size(), 1u);
  EXPECT_TRUE(Finished()[0].filename().string().ends_with("_88-algo-1_pythontimeline.json"));
  EXPECT_EQ(Finished()[0].parent_path().parent_path().filename(), "pevents");
  std::ifstream file(Finished()[0]);
  const auto events = ParseJson(std::string(std::istreambuf_iterator<char>(file), {}));
  ASSERT_TRUE(events.ok()) << events.status().message();
  EXPECT_EQ(events.value().size(), 1u);
  EXPECT_EQ(Finish(), 0) << "once";
}

TEST_F(TimelineLeftoversTest, FilesThatAreBeingWrittenAreLeftAlone) {
  TimelineSettings settings;
  settings.folder = folder_.path().string();
  TimelineFile file("7-algo-2", "pythontimeline.json", TimelineNowUs());
  file.Use(settings);
  file.Append({.phase = "Forward", .name = "Net", .start_us = TimelineNowUs(), .duration_us = 5});
  file.Flush();
  EXPECT_EQ(Finish(), 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "framework/7-algo-2_pythontimeline.json.tmp"));
  file.Close(/*finish=*/false);
  EXPECT_EQ(Finish(), 1);
}

TEST_F(TimelineLeftoversTest, WhatIsNotATimelineStays) {
  Write("88-algo-1_pythontimeline.json.tmp", "[\n");
  Write("notes.tmp", "[\n" + std::string(kEvent) + ",\n");
  fs::create_directories(folder_.path() / "framework/1-a_pythontimeline.json.tmp");
  fs::create_symlink("/etc/passwd", folder_.path() / "framework/2-a_pythontimeline.json.tmp");
  ASSERT_EQ(mkfifo(folder_.File("framework/3-a_pythontimeline.json.tmp").c_str(), 0600), 0);
  EXPECT_EQ(Finish(), 0);
  EXPECT_TRUE(Finished().empty());
  EXPECT_EQ(FinishTimelines("/no/such/folder"), 0);
}

TEST_F(TimelineLeftoversTest, LinksOfTheTrainingAreNotFollowed) {
  const os::TempFolder outside;
  const std::string text = "[\n" + std::string(kEvent) + ",\n{\"name";
  // A second name of somebody else's file.
  const std::string other = outside.Write("other", text);
  fs::create_hard_link(other, folder_.path() / "framework/1-a_pythontimeline.json.tmp");
  EXPECT_EQ(Finish(), 0);
  EXPECT_EQ(fs::file_size(other), text.size());
  // A folder that is elsewhere.
  Write("2-a_pythontimeline.json.tmp", text);
  fs::create_directory_symlink(outside.path(), folder_.path() / "framework/pevents");
  EXPECT_EQ(Finish(), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(outside.path()), {}), 1);
  // The whole of it.
  const os::TempFolder linked;
  fs::create_directory_symlink(folder_.path() / "framework", linked.path() / "framework");
  EXPECT_EQ(FinishTimelines(linked.path().string()), 0);
}

}  // namespace
}  // namespace warden::capture
