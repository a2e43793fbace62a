#include <gtest/gtest.h>

#include "warden/jobs/db/sqlite.h"
#include "warden/jobs/db/store_for_test.h"

namespace warden::jobs {
namespace {

class EventsTest : public testing::Test {
 protected:
  // The kinds and statuses of the events after the last call, in order.
  std::vector<std::string> NewEvents() {
    std::vector<std::string> told;
    for (const StoredEvent& event : store->EventsAfter(last, 1000).value()) {
      EXPECT_EQ(event.number, last + 1);
      last = event.number;
      EXPECT_EQ(event.body.find('\n'), std::string::npos);
      const Json detail = ParseJson(event.body).value()["detail"];
      told.push_back(detail.contains("Incident")
                         ? "incident " + detail["Incident"]["rule"].get<std::string>()
                     : detail.contains("ProcessingJobName")
                         ? "rule " + detail["ProcessingJobStatus"].get<std::string>()
                         : "job " + detail["SecondaryStatus"].get<std::string>());
    }
    return told;
  }

  void Change(const std::function<void(TrainingJob*)>& change) {
    auto changed = store->Change("demo-001", [&](TrainingJob* job) {
      change(job);
      return Status();
    });
    ASSERT_TRUE(changed.ok()) << changed.status().message();
  }

  using Told = std::vector<std::string>;
  StoreFolder folder;
  std::unique_ptr<JobStore> store = folder.Open();
  int64_t last = 0;
};

TEST_F(EventsTest, EachChangeOfAStatusIsOne) {
  int heard = 0;
  store->OnEvent([&] { ++heard; });
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  EXPECT_EQ(NewEvents(), Told{"job Starting"});
  Change([](TrainingJob* job) { Enter(job, SecondaryStatus::kTraining, "one", Now()); });
  EXPECT_EQ(NewEvents(), Told{"job Training"});
  Change([](TrainingJob* job) { Enter(job, SecondaryStatus::kTraining, "two", Now()); });
  EXPECT_EQ(NewEvents(), Told{"job Training"});
  Change([](TrainingJob* job) { job->started = Now(); });
  EXPECT_EQ(NewEvents(), Told{});
  Change([](TrainingJob* job) { job->request["ProfilerConfig"]["DisableProfiler"] = true; });
  EXPECT_EQ(NewEvents(), Told{"job Training"});
  EXPECT_EQ(heard, 4);
  EXPECT_EQ(store->LastEvent(), 4);
}

TEST_F(EventsTest, ARulesStatusIsTheJobsToo) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  NewEvents();
  Change([](TrainingJob* job) { job->rules[0].launched = Now(); });
  EXPECT_EQ(NewEvents(), Told{"rule InProgress"});
  Change([](TrainingJob* job) {
    SetRuleStatus(job, 0, RuleStatus::kIssuesFound, "RuleEvaluationConditionMet: x\n", Now());
  });
  EXPECT_EQ(NewEvents(), (Told{"job Starting", "rule Completed"}));
  Change([](TrainingJob* job) {
    job->rules.push_back(SomeRule("New", RuleJob::Kind::kProfiler, "new-00000000"));
  });
  EXPECT_EQ(NewEvents(), Told{"job Starting"});
}

TEST_F(EventsTest, AnIncidentIsOneWhenItBegins) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  NewEvents();
  const auto incident = [](const char* rule) { return Json{{"rule", rule}, {"finding", 1}}; };
  Change([&](TrainingJob* job) {
    SetRuleStatus(job, 0, RuleStatus::kIssuesFound, "", Now());
    job->incidents.push_back({"id-1", Now(), incident("AllZero")});
  });
  EXPECT_EQ(NewEvents(), (Told{"job Starting", "rule Completed", "incident AllZero"}));
  // Another cause is found.
  Change([&](TrainingJob* job) { job->incidents[0].json = incident("DeadRelu"); });
  EXPECT_EQ(NewEvents(), Told{});
  Change([&](TrainingJob* job) {
    job->incidents.push_back({"id-2", Now(), incident("LoadBalancing")});
  });
  EXPECT_EQ(NewEvents(), Told{"incident LoadBalancing"});
  Change([&](TrainingJob* job) { job->incidents.pop_back(); });
  EXPECT_EQ(NewEvents(), Told{});
  const Json event = ParseJson(store->EventsAfter(3, 1).value()[0].body).value();
  EXPECT_EQ(event["id"], "id-1");
  EXPECT_EQ(event["source"], "tensorwarden");
  EXPECT_EQ(event["detail-type"], "Training Job Incident");
  EXPECT_EQ(event["detail"]["TrainingJobName"], "demo-001");
}

TEST_F(EventsTest, AreReadPieceByPiece) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  for (int i = 0; i < 30; ++i) {
    Change([&](TrainingJob* job) {
      Enter(job, SecondaryStatus::kTraining, std::to_string(i), Now());
    });
  }
  EXPECT_EQ(store->LastEvent(), 31);
  EXPECT_EQ(store->EventsAfter(0, 10).value().size(), 10u);
  EXPECT_EQ(store->EventsAfter(25, 100).value().size(), 6u);
  EXPECT_EQ(store->EventsAfter(31, 100).value().size(), 0u);
}

TEST_F(EventsTest, OldOnesGo) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  auto other = db::Connection::Open(folder.Path(), db::Connection::Mode::kReadWrite);
  const Status filled = other.value()->Execute(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) "
      "INSERT INTO events (body) SELECT '{}' FROM n");
  ASSERT_TRUE(filled.ok()) << filled.message();
  Change([](TrainingJob* job) { Enter(job, SecondaryStatus::kTraining, "", Now()); });
  EXPECT_EQ(store->LastEvent(), 25'002);
  const auto left = store->EventsAfter(0, 100'000).value();
  ASSERT_EQ(left.size(), 20'000u);
  EXPECT_EQ(left.front().number, 5'003);
}

}  // namespace
}  // namespace warden::jobs
