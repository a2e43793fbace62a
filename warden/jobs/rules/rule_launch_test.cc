#include "warden/jobs/rules/rule_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/record/job_for_test.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::jobs {
namespace {

class RuleLaunchTest : public testing::Test {
 protected:
  RuleLaunchTest() {
    options_.data = "/data";
    options_.program = "/bin/warden";
  }
  AgentLaunch Launch() {
    auto launch = LaunchOfRule(options_, job_, job_.rules[0], find_tensors_);
    EXPECT_TRUE(launch.ok()) << launch.status().message();
    return launch.ok() ? launch.value() : AgentLaunch();
  }
  Status Refusal() { return LaunchOfRule(options_, job_, job_.rules[0], find_tensors_).status(); }
  Json& Parameters() { return job_.rules[0].config["RuleParameters"]; }

  service::ServiceOptions options_;
  TrainingJob job_ = SomeJob("demo-001");
  const FindTensors find_tensors_ = [](const std::string& job) -> Result<std::string> {
    if (job == "before") return std::string("s3://demo-bucket/debug/before/debug-output");
    if (job == "silent") return std::string();
    return Status(Code::kInvalid, "unknown job '" + job + "'");
  };
};

TEST_F(RuleLaunchTest, SaysWhereEverythingIs) {
  const AgentLaunch launch = Launch();
  EXPECT_EQ(launch.folder, "/data/jobs/demo-001/rules/demo-001-vg-1a2b3c4d");
  EXPECT_EQ(launch.words, (std::vector<std::string>{"/bin/warden", "agent", "rule"}));
  EXPECT_EQ(launch.memory_bytes, options_.rule_memory_bytes);
  EXPECT_EQ(launch.spec["run"], "/data/s3/demo-bucket/debug/demo-001/debug-output");
  EXPECT_EQ(launch.spec["profiler"], "/data/s3/demo-bucket/profile/demo-001/profiler-output");
  EXPECT_EQ(launch.spec["output"],
            "/data/s3/demo-bucket/out/demo-001/rule-output/VanishingGradient");
  EXPECT_EQ(launch.spec["launch"], "1767323000123") << "tells it from one before it";
  EXPECT_EQ(launch.spec["kind"], "debug");
}

TEST_F(RuleLaunchTest, WhatIsInS3IsNamedByItsFile) {
  Parameters()["source_s3_uri"] = "s3://demo-bucket/rules/my_rule.py";
  Parameters()["other_trials"] = "s3://demo-bucket/a, /runs/b";
  Parameters()["other_trial_0"] = "file:///runs/c";
  const Json parameters = Launch().spec["rule"]["RuleParameters"];
  EXPECT_EQ(parameters["source_s3_uri"], "/data/s3/demo-bucket/rules/my_rule.py");
  EXPECT_EQ(parameters["other_trials"], "/data/s3/demo-bucket/a,/runs/b");
  EXPECT_EQ(parameters["other_trial_0"], "/runs/c");
  EXPECT_EQ(parameters["threshold"], "0.5");
  Parameters()["source_s3_uri"] = "s3://../../etc/passwd";
  EXPECT_EQ(Refusal().code(), Code::kInvalid);
}

TEST_F(RuleLaunchTest, AJobToCompareWithIsNamedByItsTensors) {
  Parameters()["other_trials"] = "before, /runs/b";
  EXPECT_EQ(Launch().spec["rule"]["RuleParameters"]["other_trials"],
            "/data/s3/demo-bucket/debug/before/debug-output,/runs/b");
  EXPECT_EQ(JobsToCompareWith(job_.rules[0].config), std::vector<std::string>{"before"});
  Parameters()["other_trials"] = "nobody";
  EXPECT_EQ(Refusal().message(), "other_trials: unknown job 'nobody'");
  Parameters()["other_trials"] = "silent";
  EXPECT_EQ(Refusal().code(), Code::kInvalid);
}

TEST_F(RuleLaunchTest, RulesDoNotGetTheServicesKeys) {
  setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  setenv("WARDEN_SMTP_PASSWORD", "secret", 1);
  setenv("SOME_PASSWORD", "secret", 1);
  const AgentLaunch launch = Launch();
  unsetenv("AWS_SECRET_ACCESS_KEY");
  unsetenv("WARDEN_SMTP_PASSWORD");
  unsetenv("SOME_PASSWORD");
  ASSERT_FALSE(launch.environment.empty());
  for (const std::string& variable : launch.environment) {
    EXPECT_EQ(variable.find("=secret"), std::string::npos) << variable;
  }
}

TEST(FindingsFile, IsReadAsItGrows) {
  const os::TempFolder folder;
  FindingsReader reader(folder.path());
  EXPECT_TRUE(reader.Next().empty());
  const std::string line = DumpLikePython(actions::ToJson(actions::SomeFiring())) + "\n";
  folder.Write("findings.jsonl", line + line.substr(0, 20));
  EXPECT_EQ(reader.Next().size(), 1u) << "half a line is none";
  EXPECT_TRUE(reader.Next().empty());
  folder.Write("findings.jsonl", line + line + "nonsense\n" + "{}\n" + line);
  EXPECT_EQ(reader.Next().size(), 2u) << "what cannot be understood is passed over";
  folder.Write("findings.jsonl", line);
  EXPECT_EQ(reader.Next().size(), 1u) << "it was begun anew";
}

}  // namespace
}  // namespace warden::jobs
