#include "warden/cli/launch/origin_recorder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/trial/run_origin.h"

namespace warden::cli {
namespace {

TEST(OriginRecorderTest, TellsOnlyVariablesThatMatterAndNoSecrets) {
  EXPECT_EQ(EnvironmentFacts({"CUDA_VISIBLE_DEVICES=0,1", "HF_TOKEN=hf_abc", "MY_THING=private",
                              "HF_ENDPOINT=https://me:pass@host/", "PATH=/bin", "broken"}),
            (Json{{"values",
                   {{"CUDA_VISIBLE_DEVICES", "0,1"},
                    {"HF_ENDPOINT", "https://me:***@host/"},
                    {"HF_TOKEN", "***"},
                    {"PATH", "/bin"}}},
                  {"names", {"MY_THING"}}}));
  const Json long_one = EnvironmentFacts({"TF_X=" + std::string(5000, 'x')});
  EXPECT_EQ(long_one["values"]["TF_X"].get<std::string>().size(), 1000u);
}

class GitFactsTest : public testing::Test {
 protected:
  void Sh(const std::string& line) {
    const std::string all = "cd '" + root_ + "' && exec >/dev/null 2>&1; export HOME='" + root_ +
                            "' GIT_CONFIG_NOSYSTEM=1; " + line;
    ASSERT_EQ(std::system(all.c_str()), 0) << line;
  }
  const os::TempFolder folder_;
  const std::string root_ = folder_.path().string();
};

TEST_F(GitFactsTest, TellsCommitBranchAndChanges) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "git is not installed";
  Sh("git init -q -b topic . && git config user.email a@b && git config user.name n && "
     "echo one > file && git add file && git commit -qm first");
  const Json clean = GitFacts(root_);
  EXPECT_EQ(clean["commit"].get<std::string>().size(), 40u) << clean;
  EXPECT_EQ(clean["branch"], "topic");
  EXPECT_EQ(clean["dirty"], false);
  Sh("echo two > file && echo \"api_key = 'hidden'\" >> file && echo new > unknown");
  const Json dirty = GitFacts(root_);
  EXPECT_EQ(dirty["dirty"], true);
  EXPECT_NE(dirty["diff"].get<std::string>().find("+two"), std::string::npos) << dirty;
  EXPECT_NE(dirty["diff"].get<std::string>().find("+api_key = '***'\n"), std::string::npos)
      << dirty;
  EXPECT_EQ(dirty["diff_cut"], false);
  Sh("seq 1 200000 > file && git checkout -q --detach");
  const Json long_one = GitFacts(root_);
  EXPECT_EQ(long_one["branch"], "");
  EXPECT_EQ(long_one["diff_cut"], true);
  EXPECT_EQ(long_one["diff"].get<std::string>().size(), 256u << 10);
}

TEST_F(GitFactsTest, NoRepositoryIsNothing) { EXPECT_TRUE(GitFacts(root_ + "/none").is_null()); }

TEST(OriginRecorderTest, FindsThePythonOfScripts) {
  const Json python = PythonFacts("python3");
  ASSERT_TRUE(python.is_object());
  EXPECT_TRUE(python["version"].get<std::string>().starts_with("3."));
  EXPECT_TRUE(python["packages"].is_object());
  const os::TempFolder folder;
  const std::string script = folder.Write("tool", "#!/usr/bin/env python3\nprint()\n");
  EXPECT_EQ(PythonFacts(script), python);
  EXPECT_TRUE(PythonFacts("/bin/sh").is_null());
  EXPECT_TRUE(PythonFacts(folder.Write("train.sh", "#!/bin/sh\npython3 x.py\n")).is_null());
}

TEST(OriginRecorderTest, WritesAllOfItIntoTheRun) {
  const os::TempFolder folder;
  const std::string run = folder.path().string();
  OriginRecorder recorder;
  recorder.Start(run, {"sh", "x.sh", "--token", "abc"}, "/bin/sh");
  recorder.Finish();
  const Json origin = trial::ReadRunOrigin(run);
  EXPECT_EQ(origin["command"], (Json{"sh", "x.sh", "--token", "***"}));
  EXPECT_FALSE(origin["machine"]["host"].get<std::string>().empty());
  EXPECT_GT(origin["machine"]["memory"], 0);
  EXPECT_GT(origin["machine"]["cores"], 0);
  EXPECT_FALSE(origin.contains("python"));
}

}  // namespace
}  // namespace warden::cli
