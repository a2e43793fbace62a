#include "warden/dashboard/site/run_set.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "warden/jobs/db/store_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

class RunSetTest : public testing::Test {
 protected:
  RunSetTest() { options_.runs = {folder_.folder()}; }

  std::string Make(const std::string& name, const std::string& below = "index/000000000") const {
    const fs::path run = fs::path(folder_.folder()) / name;
    fs::create_directories(run / below);
    return RunIdOf(run.string());
  }
  fs::path PathOf(const std::string& name) const { return fs::path(folder_.folder()) / name; }
  // Something that was read of the run, as a part of the dashboard keeps it.
  static std::shared_ptr<int> ViewOf(OpenRun* run) {
    return run
        ->View<int>([](const RunPlaces&) -> Result<std::shared_ptr<int>> {
          return std::make_shared<int>(0);
        })
        .value();
  }

  jobs::StoreFolder folder_;
  service::ServiceOptions options_;
  RunSet runs_{&options_, nullptr};
};

TEST_F(RunSetTest, KeepsWhatWasReadAsLongAsTheFolderIsTheSame) {
  const std::string id = Make("a");
  const auto first = runs_.Open(id).value();
  runs_.List();
  EXPECT_EQ(runs_.Open(id).value(), first);
  // What a live run gets later makes it no other one.
  Make("a", "events/000000000");
  Make("a", "profiler-output/system");
  Make("a", "index/000000001");
  EXPECT_EQ(runs_.Open(id).value(), first);
}

TEST_F(RunSetTest, ARunWrittenAgainUnderItsNameIsAnotherOne) {
  const std::string id = Make("a");
  std::shared_ptr<OpenRun> first = runs_.Open(id).value();
  fs::remove_all(PathOf("a"));
  EXPECT_EQ(runs_.Open(id).value(), first) << "gone for now";
  Make("a");
  std::shared_ptr<OpenRun> second = runs_.Open(id).value();
  EXPECT_NE(second, first);
  // Also where only the folder's contents are.
  fs::remove_all(PathOf("a") / "index");
  Make("a");
  EXPECT_NE(runs_.Open(id).value(), second);
  Make("a", "profiler-output/system");
  std::shared_ptr<OpenRun> third = runs_.Open(id).value();
  fs::remove_all(PathOf("a") / "profiler-output");
  Make("a", "profiler-output/system");
  EXPECT_NE(runs_.Open(id).value(), third);
}

TEST_F(RunSetTest, TheNewestOfManyDoNotWaitForASearch) {
  const auto newest = [&](size_t most) {
    const auto found = runs_.ListNewest(most, [](const std::vector<RunPlaces>& folders) {
      return std::vector<double>(folders.size());
    });
    return found.listed.runs.size();
  };
  Make("a");
  Make("b");
  runs_.Prepare();
  fs::remove_all(PathOf("b"));
  EXPECT_EQ(newest(1), 1U);
  fs::remove_all(PathOf("a"));
  EXPECT_EQ(newest(1), 1U) << "as they were found";
  EXPECT_EQ(newest(2), 0U) << "all of them, and so as they are";
}

TEST_F(RunSetTest, AListLooksAgainAfterTheStart) {
  Make("a");
  runs_.Prepare();
  Make("b");
  EXPECT_EQ(runs_.List().runs.size(), 2U);
}

TEST_F(RunSetTest, ALongListDoesNotStayInMemory) {
  constexpr size_t kRuns = 400;
  for (size_t i = 0; i < kRuns; ++i) Make(fmt::format("run-{:03}", i));
  std::vector<std::weak_ptr<OpenRun>> listed;
  for (const auto& run : runs_.List().runs) listed.push_back(run);
  EXPECT_EQ(listed.size(), kRuns);
  const auto kept =
      std::count_if(listed.begin(), listed.end(), [](const auto& run) { return !run.expired(); });
  EXPECT_LE(kept, 300);
  EXPECT_GT(kept, 100);
  EXPECT_EQ(runs_.List().runs.size(), kRuns);
}

TEST_F(RunSetTest, WhatWasReadOfManyRunsDoesNotStay) {
  std::vector<std::string> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(Make(fmt::format("run-{:03}", i)));
  std::vector<std::weak_ptr<int>> views;
  const auto held = runs_.Open(ids[0]).value();
  views.push_back(ViewOf(held.get()));
  for (size_t i = 1; i < ids.size(); ++i) {
    views.push_back(ViewOf(runs_.Open(ids[i]).value().get()));
  }
  size_t kept = 0;
  for (const auto& view : views) kept += view.expired() ? 0 : 1;
  EXPECT_LE(kept, 65U);
  EXPECT_FALSE(views.front().expired()) << "somebody uses it";
  EXPECT_FALSE(views.back().expired());
  EXPECT_TRUE(views[1].expired());
  EXPECT_EQ(runs_.List().runs.size(), ids.size());
}

}  // namespace
}  // namespace warden::dashboard
