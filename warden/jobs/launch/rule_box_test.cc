#include "warden/jobs/launch/rule_box.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "warden/jobs/launch/launch_for_test.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

class RuleBoxTest : public testing::Test {
 protected:
  RuleBoxTest() {
    WriteText(At("token"), "secret");
    WriteText(At("s3/bucket/rules/own.py"), "rule");
    WriteText(At("s3/bucket/run/index"), "tensors");
    common_.hidden = {data_.path().string()};
    rule_.folder = At("jobs/demo/rules/one");
    rule_.source = At("s3/bucket/rules/own.py");
    rule_.own_runs = {At("s3/bucket/run"), At("s3/bucket/later")};
  }
  std::string At(const std::string& part) const { return (data_.path() / part).string(); }
  Result<RuleBox> Make() { return MakeRuleBox(rule_, At("s3"), common_); }
  Status Keep(const RuleBox& made) {
    return KeepRuleOutput(rule_.folder, made.temporary, At("s3"), At("s3/bucket/out/one"));
  }

  const os::TempFolder data_;
  os::Box common_;
  RuleToIsolate rule_;
};

TEST_F(RuleBoxTest, ARuleSeesItsFileAndItsRuns) {
  rule_.other_runs = {At("s3/bucket/gone")};
  const auto made = Make();
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made.value().source, "/tmp/rule/own.py");
  EXPECT_EQ(ReadText(made.value().temporary + "/rule/own.py"), "rule");
  std::vector<std::string> read, written;
  for (const os::Box::Shown& shown : made.value().box.shown) {
    (shown.writable ? written : read).push_back(shown.from);
  }
  EXPECT_EQ(read, (std::vector{At("s3/bucket/run"), At("s3/bucket/later"), At("s3/bucket/gone")}));
  for (const std::string& folder : written) EXPECT_EQ(folder, made.value().temporary);
  EXPECT_TRUE(fs::is_directory(At("s3/bucket/later"))) << "its job may write there later";
  EXPECT_FALSE(fs::exists(At("s3/bucket/gone")));
}

TEST_F(RuleBoxTest, FilesOfTheServiceAreRefused) {
  for (const char* part : {"token", "s3/../token", "keys.py"}) {
    rule_.source = At(part);
    const auto made = Make();
    EXPECT_EQ(made.status().code(), Code::kInvalid) << part;
    EXPECT_NE(made.status().message().find("belongs to the service"), std::string::npos) << part;
  }
  rule_.source = At("s3/bucket/rules/own.py");
  rule_.other_runs = {At("jobs")};
  EXPECT_EQ(Make().status().code(), Code::kInvalid);
  EXPECT_TRUE(fs::is_empty(rule_.folder)) << "what was made for it is gone";
}

TEST_F(RuleBoxTest, NoLinkInABucketIsFollowed) {
  fs::create_symlink(At("token"), At("s3/bucket/rules/link.py"));
  rule_.source = At("s3/bucket/rules/link.py");
  EXPECT_EQ(Make().status().code(), Code::kInvalid);
  rule_.source = At("s3/bucket/rules/own.py");
  fs::create_symlink(data_.path(), At("s3/bucket/all"));
  rule_.own_runs = {At("s3/bucket/all")};
  EXPECT_FALSE(Make().ok());
}

TEST_F(RuleBoxTest, SharedObjectsAreThoseOfTheMachine) {
  WriteText(At("s3/bucket/rules/own.so"), "");
  rule_.source = At("s3/bucket/rules/own.so");
  EXPECT_EQ(Make().status().code(), Code::kInvalid);
  const os::TempFolder machine;
  machine.Write("own.so", "");
  rule_.source = (machine.path() / "own.so").string();
  ASSERT_EQ(chmod(rule_.source.c_str(), 0755), 0);
  EXPECT_TRUE(Make().ok());
  ASSERT_EQ(chmod(rule_.source.c_str(), 0777), 0);
  EXPECT_EQ(Make().status().code(), Code::kInvalid) << "everybody can write it";
  ASSERT_EQ(chmod(rule_.source.c_str(), 0755), 0);
  common_.shown = {{machine.path(), machine.path(), "", true}};
  EXPECT_EQ(Make().status().code(), Code::kInvalid) << "jobs can write it";
}

TEST_F(RuleBoxTest, FilesOfTheOutputAreKept) {
  const auto made = Make();
  ASSERT_TRUE(made.ok()) << made.status().message();
  const fs::path output = fs::path(made.value().temporary) / "output";
  WriteText(At("s3/bucket/out/one/status.json"), "ours");
  fs::create_directories(output / "pages");
  WriteText(output / "pages/report.html", "report");
  WriteText(output / "status.json", "its own");
  fs::create_symlink(At("token"), output / "token");
  const Status kept = Keep(made.value());
  EXPECT_TRUE(kept.ok()) << kept.message();
  EXPECT_EQ(ReadText(At("s3/bucket/out/one/pages/report.html")), "report");
  EXPECT_EQ(ReadText(At("s3/bucket/out/one/status.json")), "ours");
  EXPECT_FALSE(fs::exists(At("s3/bucket/out/one/token")));
  EXPECT_FALSE(fs::exists(made.value().temporary));
}

TEST_F(RuleBoxTest, AnEndlessReportIsNotKept) {
  const auto made = Make();
  ASSERT_TRUE(made.ok()) << made.status().message();
  const fs::path file = fs::path(made.value().temporary) / "output/report";
  WriteText(file, "");
  fs::resize_file(file, 1ull << 40);
  EXPECT_EQ(Keep(made.value()).code(), Code::kInvalid);
  EXPECT_FALSE(fs::exists(At("s3/bucket/out/one/report")));
}

}  // namespace
}  // namespace warden::jobs
