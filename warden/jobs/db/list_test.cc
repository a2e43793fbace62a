#include <gtest/gtest.h>

#include <set>

#include "warden/jobs/db/store_for_test.h"

namespace warden::jobs {
namespace {

class ListTest : public testing::Test {
 protected:
  void Make(const std::string& name, int64_t created,
            SecondaryStatus status = SecondaryStatus::kStarting) {
    TrainingJob job = SomeJob(name);
    job.created = At(created);
    for (RuleJob& rule : job.rules) rule.created = job.created;
    Enter(&job, status, "", At(created + 500));
    const Status made = store->Create(job, {});
    ASSERT_TRUE(made.ok()) << made.message();
  }

  std::vector<std::string> Names(const ListQuery& query) {
    auto page = store->List(query);
    EXPECT_TRUE(page.ok()) << page.status().message();
    std::vector<std::string> names;
    for (const TrainingJob& job : page.value().items) names.push_back(job.name);
    return names;
  }

  // All pages, with something done between them.
  std::vector<std::string> Walk(ListQuery query, const std::function<void()>& between = [] {}) {
    std::vector<std::string> names;
    for (;;) {
      auto page = store->List(query);
      EXPECT_TRUE(page.ok()) << page.status().message();
      if (!page.ok()) return names;
      for (const TrainingJob& job : page.value().items) names.push_back(job.name);
      if (page.value().next_token.empty()) return names;
      query.next_token = page.value().next_token;
      between();
    }
  }

  using Names_ = std::vector<std::string>;
  StoreFolder folder;
  std::unique_ptr<JobStore> store = folder.Open();
};

TEST_F(ListTest, SortsAsAsked) {
  Make("b", 1000, SecondaryStatus::kFailed);
  Make("a", 3000);
  Make("c", 2000, SecondaryStatus::kCompleted);
  ListQuery query;
  EXPECT_EQ(Names(query), (Names_{"a", "c", "b"}));
  query.ascending = true;
  EXPECT_EQ(Names(query), (Names_{"b", "c", "a"}));
  query.sort_by = ListQuery::SortBy::kName;
  EXPECT_EQ(Names(query), (Names_{"a", "b", "c"}));
  query.sort_by = ListQuery::SortBy::kStatus;
  EXPECT_EQ(Names(query), (Names_{"c", "b", "a"}));
}

TEST_F(ListTest, Filters) {
  Make("Demo-One", 1000);
  Make("demo-two", 2000, SecondaryStatus::kStopping);
  Make("other", 3000);
  ListQuery query;
  query.name_contains = "demo-";
  EXPECT_EQ(Names(query), (Names_{"demo-two", "Demo-One"}));
  for (const char* pattern : {"%", "_", "\\", "d%o"}) {
    query.name_contains = pattern;
    EXPECT_EQ(Names(query), Names_{}) << pattern;
  }
  query = {};
  query.status_equals = "Stopping";
  EXPECT_EQ(Names(query), Names_{"demo-two"});
  query = {};
  query.created_after = At(1000);
  query.created_before = At(3000);
  EXPECT_EQ(Names(query), Names_{"demo-two"});
  query = {};
  query.modified_after = At(2500);
  EXPECT_EQ(Names(query), Names_{"other"});
  query.modified_after.reset();
  query.modified_before = At(1501);
  EXPECT_EQ(Names(query), Names_{"Demo-One"});
}

TEST_F(ListTest, FiltersByPrefixes) {
  for (const char* name : {"team-a-1", "team-a-2", "Team-a-3", "team-ab", "team-b-team-a-", "x"}) {
    Make(name, 1000);
  }
  ListQuery query;
  query.sort_by = ListQuery::SortBy::kName;
  query.ascending = true;
  query.limit = 1;
  query.name_prefixes = {"team-a-"};
  EXPECT_EQ(Walk(query), (Names_{"team-a-1", "team-a-2"}));
  query.name_prefixes = {"team-a", "x"};
  EXPECT_EQ(Walk(query), (Names_{"team-a-1", "team-a-2", "team-ab", "x"}));
  query.name_contains = "-1";
  EXPECT_EQ(Walk(query), (Names_{"team-a-1"}));
  query.name_contains = "";
  query.name_prefixes = {"team-_-"};
  EXPECT_EQ(Walk(query), Names_{});
  query.name_prefixes = {"Team-a-"};
  query.limit = 10;
  const auto rules = store->ListRuleJobs(query);
  ASSERT_TRUE(rules.ok()) << rules.status().message();
  ASSERT_FALSE(rules.value().items.empty());
  for (const auto& [job, place] : rules.value().items) EXPECT_EQ(job.name, "Team-a-3");
}

TEST_F(ListTest, PagesStayRightWhileJobsAreAdded) {
  std::set<std::string> before;
  for (int i = 0; i < 25; ++i) {
    const std::string name = "job-" + std::to_string(i);
    Make(name, 1000 + i / 3);  // Some of the same time.
    before.insert(name);
  }
  int added = 0;
  for (const auto sort_by :
       {ListQuery::SortBy::kCreationTime, ListQuery::SortBy::kName, ListQuery::SortBy::kStatus}) {
    for (const bool ascending : {true, false}) {
      ListQuery query;
      query.limit = 4;
      query.sort_by = sort_by;
      query.ascending = ascending;
      const auto names = Walk(query, [&] {
        Make((added % 2 == 0 ? "a-" : "z-") + std::to_string(added), added % 2 == 0 ? 1 : 9000);
        ++added;
      });
      const std::set<std::string> seen(names.begin(), names.end());
      EXPECT_EQ(seen.size(), names.size()) << "none twice";
      EXPECT_TRUE(std::includes(seen.begin(), seen.end(), before.begin(), before.end()));
    }
  }
}

TEST_F(ListTest, RefusesTokensThatItDidNotGive) {
  for (int i = 0; i < 3; ++i) Make("job-" + std::to_string(i), 1000 + i);
  ListQuery query;
  query.limit = 1;
  const std::string token = store->List(query).value().next_token;
  ASSERT_FALSE(token.empty());
  for (size_t i = 0; i < token.size(); ++i) {
    query.next_token = token;
    query.next_token[i] = query.next_token[i] == 'f' ? 'e' : 'f';
    EXPECT_EQ(store->List(query).status().code(), Code::kInvalid);
    query.next_token = token.substr(0, i);
    if (i > 0) {
      EXPECT_EQ(store->List(query).status().code(), Code::kInvalid);
    }
  }
  query.next_token = token;
  EXPECT_EQ(store->ListRuleJobs(query).status().code(), Code::kInvalid);
  query.ascending = true;
  EXPECT_EQ(store->List(query).status().code(), Code::kInvalid);
  query.ascending = false;
  query.sort_by = ListQuery::SortBy::kName;
  EXPECT_EQ(store->List(query).status().code(), Code::kInvalid);
}

TEST_F(ListTest, ListsRuleJobs) {
  Make("a", 1000);
  Make("b", 2000);
  auto changed = store->Change("b", [](TrainingJob* job) {
    SetRuleStatus(job, 1, RuleStatus::kError, "x", Now());
    return Status();
  });
  ASSERT_TRUE(changed.ok());
  ListQuery query;
  query.limit = 3;
  auto page = store->ListRuleJobs(query).value();
  ASSERT_EQ(page.items.size(), 3u);
  EXPECT_EQ(page.items[0].first.name, "b");
  query.next_token = page.next_token;
  page = store->ListRuleJobs(query).value();
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_EQ(page.items[0].first.name, "a");
  EXPECT_EQ(page.next_token, "");
  query = {};
  query.status_equals = "Failed";
  page = store->ListRuleJobs(query).value();
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_EQ(page.items[0].second, 1u);
}

TEST_F(ListTest, PagesHaveEveryJobOnce) {
  for (int i = 0; i < 250; ++i) Make("job-" + std::to_string(i), 1000 + i);
  ListQuery query;
  query.limit = 100;
  const auto names = Walk(query);
  EXPECT_EQ(names.size(), 250u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 250u);
}

}  // namespace
}  // namespace warden::jobs
