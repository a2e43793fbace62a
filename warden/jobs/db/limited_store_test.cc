#include "warden/jobs/db/limited_store.h"

#include <gtest/gtest.h>

#include "warden/jobs/db/store_for_test.h"

namespace warden::jobs {
namespace {

class LimitedStoreTest : public testing::Test {
 protected:
  LimitedStoreTest() {
    for (const char* name : {"team-a-1", "team-ab", "team-b-1"}) {
      const Status made = store->Create(SomeJob(name), {"owner", name});
      EXPECT_TRUE(made.ok()) << made.message();
    }
  }
  std::string RuleOf(const std::string& job) {
    return store->Get(job).value().rules.front().job_name;
  }

  StoreFolder folder;
  std::unique_ptr<JobStore> store = folder.Open();
  LimitedStore own{store.get(), {"team-a-"}};
};

TEST_F(LimitedStoreTest, ShowsItsJobsAndTheirRules) {
  EXPECT_TRUE(own.Get("team-a-1").ok());
  EXPECT_EQ(own.MadeBy({"owner", "team-a-1"}), "team-a-1");
  const auto rule = own.FindRuleJob(RuleOf("team-a-1"));
  ASSERT_TRUE(rule.ok());
  EXPECT_EQ(rule.value().first.name, "team-a-1");
  const auto page = own.List({});
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page.value().items.size(), 1U);
  EXPECT_EQ(page.value().items.front().name, "team-a-1");
  const auto rules = own.ListRuleJobs({});
  ASSERT_TRUE(rules.ok());
  for (const auto& [job, place] : rules.value().items) EXPECT_EQ(job.name, "team-a-1");
  EXPECT_EQ(own.Unfinished().value(), std::vector<std::string>{"team-a-1"});
  EXPECT_TRUE(own.Change("team-a-1", [](TrainingJob*) { return Status(); }).ok());
  EXPECT_TRUE(own.Create(SomeJob("team-a-2"), {}).ok());
  EXPECT_TRUE(own.Delete("team-a-2").ok());
}

TEST_F(LimitedStoreTest, HidesAllOthers) {
  for (const std::string name : {"team-ab", "team-b-1"}) {
    EXPECT_EQ(own.Get(name).status().code(), Code::kNotFound);
    EXPECT_EQ(own.FindRuleJob(RuleOf(name)).status().code(), Code::kNotFound);
    EXPECT_EQ(own.MadeBy({"owner", name}), std::nullopt);
    EXPECT_EQ(own.Delete(name).code(), Code::kNotFound);
    const auto changed = own.Change(name, [](TrainingJob*) {
      ADD_FAILURE();
      return Status();
    });
    EXPECT_EQ(changed.status().code(), Code::kNotFound);
    EXPECT_TRUE(store->Get(name).ok());
  }
  EXPECT_EQ(own.Create(SomeJob("team-c"), {}).code(), Code::kInvalid);
  EXPECT_FALSE(own.EventsAfter(0, 10).ok());
  EXPECT_EQ(own.LastEvent(), 0);
}

}  // namespace
}  // namespace warden::jobs
