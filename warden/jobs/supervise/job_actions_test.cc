#include "warden/jobs/supervise/job_actions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"
#include "warden/jobs/record/job_for_test.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

using actions::Firing;
using std::chrono::seconds;

class JobActionsTest : public testing::Test {
 protected:
  TrainingJob JobWith(const Json& actions) const {
    TrainingJob job = SomeJob("Demo-1");
    if (!actions.is_null()) {
      job.rules[0].config["RuleParameters"] = {{"rule_to_invoke", "VanishingGradient"},
                                               {"action_json", actions.dump()}};
    }
    return job;
  }
  Json Exec(const std::string& script) const { return {{"name", "exec"}, {"command", script}}; }
  std::string Out() const { return os::ReadWholeFile(folder_.File("out")).value_or(""); }
  static Firing At(Step step, const std::string& tensor) {
    Firing firing = actions::SomeFiring();
    firing.finding.step = step;
    firing.finding.tensor = tensor;
    return firing;
  }

  os::TempFolder folder_;
  actions::ActionMaker maker_{actions::Settings(), nullptr};
};

TEST_F(JobActionsTest, AreThoseOfTheConfiguration) {
  EXPECT_TRUE(ActionsOf(JobWith(nullptr), JobWith(nullptr).rules[0]).value().empty());
  TrainingJob job =
      JobWith(Json::array({{{"name", "stoptraining"}, {"training_job_prefix", "demo-1"}},
                           {{"name", "email"}, {"endpoint", "a@b.com"}}}));
  const auto wanted = ActionsOf(job, job.rules[0]);
  ASSERT_TRUE(wanted.ok()) << wanted.status().message();
  ASSERT_EQ(wanted.value().size(), 2u);
  EXPECT_EQ(std::get<actions::StopTrainingConfig>(wanted.value()[0]).prefix, "Demo-1")
      << "clients send it in lower case";
  job.rules[0].kind = RuleJob::Kind::kProfiler;
  EXPECT_TRUE(ActionsOf(job, job.rules[0]).value().empty()) << "these have none";
}

TEST_F(JobActionsTest, ARuleCanBeToldToStopTheJob) {
  TrainingJob job = JobWith(nullptr);
  job.rules[0].config["RuleParameters"] = {{"rule_to_invoke", "StalledTrainingRule"},
                                           {"stop_training_on_fire", "True"},
                                           {"training_job_name_prefix", "demo"}};
  const auto wanted = ActionsOf(job, job.rules[0]);
  ASSERT_EQ(wanted.value().size(), 1u);
  EXPECT_EQ(std::get<actions::StopTrainingConfig>(wanted.value()[0]).prefix, "demo");
}

TEST_F(JobActionsTest, EachFindingIsActedOnOnce) {
  const TrainingJob job = JobWith(Exec("echo x >> " + folder_.File("out")));
  const std::vector<Firing> firings = {At(1, "a"), At(1, "b")};
  for (int life = 0; life < 2; ++life) {
    JobActions acting(folder_.path(), &maker_);
    acting.Resume();
    acting.Found(job, job.rules[0], firings);
    EXPECT_TRUE(JobActions::AreLeft(folder_.path()));
    EXPECT_TRUE(acting.Finish(seconds(60)));
    EXPECT_FALSE(JobActions::AreLeft(folder_.path()));
  }
  EXPECT_EQ(Out(), "x\nx\n");
}

TEST_F(JobActionsTest, WhatWasLeftUndoneIsDoneByTheNext) {
  const std::string go = folder_.File("go");
  const TrainingJob job =
      JobWith(Exec("test -e " + go + " && echo x >> " + folder_.File("out") + " || exit 75"));
  {
    JobActions killed(folder_.path(), &maker_);
    killed.Found(job, job.rules[0], {At(1, "a")});
  }
  ASSERT_TRUE(JobActions::AreLeft(folder_.path()));
  folder_.Write("go", "");
  JobActions next(folder_.path(), &maker_);
  next.Resume();
  EXPECT_TRUE(next.Finish(seconds(60)));
  EXPECT_EQ(Out(), "x\n");
}

TEST_F(JobActionsTest, PeopleGetOneMessageForAStep) {
  const TrainingJob job = JobWith({{"name", "email"}, {"endpoint", "a@b.com"}});
  {
    // There is no mail server: what would be sent is in the journal.
    JobActions acting(folder_.path(), &maker_);
    acting.Found(job, job.rules[0], {At(1, "a"), At(1, "b"), At(2, "a")});
    EXPECT_TRUE(acting.Finish(seconds(60)));
  }
  const std::string journal = *os::ReadWholeFile(folder_.File("actions.jsonl"));
  size_t queued = 0;
  for (size_t at = 0; (at = journal.find("\"queued\"", at)) != std::string::npos; ++at) ++queued;
  EXPECT_EQ(queued, 2u) << journal;
  EXPECT_NE(journal.find("; 1 more finding at step 1"), std::string::npos);
}

TEST_F(JobActionsTest, SaysWhatCannotBeSent) {
  const JobActions acting(folder_.path(), &maker_);
  const TrainingJob mails = JobWith({{"name", "email"}, {"endpoint", "a@b.com"}});
  EXPECT_EQ(acting.WhyNotSent(mails, mails.rules[0]),
            "email to a@b.com: no mail server configured; set WARDEN_SMTP_URL");
  const TrainingJob stops = JobWith({{"name", "stoptraining"}});
  EXPECT_EQ(acting.WhyNotSent(stops, stops.rules[0]), "");
  const TrainingJob nonsense = JobWith({{"name", "dance"}});
  EXPECT_EQ(acting.WhyNotSent(nonsense, nonsense.rules[0]), "");
}

TEST_F(JobActionsTest, ActionsThatAreNoneAreToldAndLeftOut) {
  const TrainingJob job = JobWith({{"name", "dance"}});
  EXPECT_FALSE(ActionsOf(job, job.rules[0]).ok());
  JobActions acting(folder_.path(), &maker_);
  acting.Found(job, job.rules[0], {At(1, "a")});
  EXPECT_TRUE(acting.Finish(seconds(1)));
}

}  // namespace
}  // namespace warden::jobs
