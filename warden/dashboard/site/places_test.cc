#include "warden/dashboard/site/places.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "warden/jobs/db/store_for_test.h"
#include "warden/jobs/record/job_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

class PlacesTest : public testing::Test {
 protected:
  fs::path Make(const std::string& path) const {
    const fs::path made = fs::path(folder_.folder()) / path;
    fs::create_directories(made);
    return made;
  }
  std::vector<std::string> Found(const std::string& below = "") const {
    std::vector<std::string> names;
    for (const RunPlaces& run : FindRuns({folder_.folder() + below}).runs) {
      names.push_back(fs::relative(run.folder, folder_.folder()).string());
    }
    return names;
  }

  jobs::StoreFolder folder_;
};

TEST_F(PlacesTest, FindsRunsOfEveryLayout) {
  Make("a/index/000000000");
  Make("deep/er/b/debug-output/collections");
  Make("deep/er/b/profiler-output/system");
  Make("c/profiler-output/framework");
  Make("begun/warden");
  Make("nothing/at/all");
  EXPECT_EQ(Found(), (std::vector<std::string>{"a", "begun", "c", "deep/er/b"}));
}

TEST_F(PlacesTest, TellsWhereThingsAre) {
  const fs::path run = Make("b");
  Make("b/debug-output/index");
  Make("b/profiler-output/system");
  const auto places = RunIn(run.string());
  ASSERT_TRUE(places);
  EXPECT_EQ(places->tensors, (run / "debug-output").string());
  EXPECT_EQ(places->profile, (run / "profiler-output").string());
  EXPECT_EQ(places->rule_records, (run / "rule-output").string());
  EXPECT_EQ(places->name, "b");
  EXPECT_EQ(places->id, RunIdOf(run.string()));
  EXPECT_TRUE(places->id.starts_with("b."));
}

TEST_F(PlacesTest, WhatIsInARunIsNoRunOfItsOwn) {
  Make("a/index");
  Make("a/inner/index");
  EXPECT_EQ(Found(), std::vector<std::string>{"a"});
}

TEST_F(PlacesTest, LinksAreNotFollowed) {
  Make("a/index");
  fs::create_directory_symlink(fs::path(folder_.folder()) / "a",
                               fs::path(folder_.folder()) / "again");
  fs::create_directory_symlink(folder_.folder(), fs::path(folder_.folder()) / "round");
  EXPECT_EQ(Found(), std::vector<std::string>{"a"});
}

TEST_F(PlacesTest, WhatALinkLeadsOutOfARunIsNoPartOfIt) {
  for (const char* part : {"index", "system", "framework", "Vanish"}) {
    Make(std::string("elsewhere/") + part);
  }
  const fs::path elsewhere = fs::path(folder_.folder()) / "elsewhere";
  const fs::path run = Make("run");
  for (const char* part : {"debug-output", "profiler-output", "rule-output"}) {
    fs::create_directory_symlink(elsewhere, run / part);
  }
  EXPECT_FALSE(RunIn(run.string()));
  fs::create_directory_symlink(elsewhere, run / "index");
  EXPECT_FALSE(RunIn(run.string()));
  Make("run/collections");
  const auto places = RunIn(run.string());
  ASSERT_TRUE(places);
  EXPECT_EQ(places->tensors, run.string());
  EXPECT_EQ(places->rule_records, "");
  EXPECT_TRUE(places->reports.empty());
}

TEST_F(PlacesTest, LinksInsideARunAreFollowedAndTheRunMayBeALink) {
  Make("run/data/system");
  Make("run/steps/index");
  Make("run/findings");
  const fs::path folder(folder_.folder());
  fs::create_directory_symlink("data", folder / "run/profiler-output");
  fs::create_directory_symlink("steps", folder / "run/debug-output");
  fs::create_directory_symlink("findings", folder / "run/rule-output");
  fs::create_directory_symlink(folder / "run", folder / "link");
  for (const char* name : {"run", "link"}) {
    const auto places = RunIn((folder / name).string());
    ASSERT_TRUE(places) << name;
    EXPECT_EQ(places->tensors, (folder / name / "debug-output").string());
    EXPECT_EQ(places->profile, (folder / name / "profiler-output").string());
    EXPECT_EQ(places->rule_records, (folder / name / "rule-output").string());
  }
}

TEST_F(PlacesTest, IdsAreFitForAddressesAndDiffer) {
  const std::string id = RunIdOf("/x/my run ä?#");
  EXPECT_EQ(
      id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."),
      std::string::npos);
  EXPECT_NE(RunIdOf("/x/a"), RunIdOf("/y/a"));
  EXPECT_NE(RunIdOf("/x/a").find('.'), std::string::npos);
}

TEST_F(PlacesTest, AFolderThatIsNotThereIsAProblem) {
  EXPECT_EQ(FindRuns({folder_.folder() + "/none"}).problems.size(), 1u);
}

}  // namespace
}  // namespace warden::dashboard
