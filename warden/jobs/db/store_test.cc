#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>
#include <vector>

#include "warden/jobs/db/sqlite.h"
#include "warden/jobs/db/store_for_test.h"

namespace warden::jobs {
namespace {

class StoreTest : public testing::Test {
 protected:
  void Reopen() {
    store.reset();
    store = folder.Open();
  }

  StoreFolder folder;
  std::unique_ptr<JobStore> store = folder.Open();
};

TEST_F(StoreTest, KeepsAJobOverARestart) {
  const TrainingJob job = SomeJob();
  ASSERT_TRUE(store->Create(job, {}).ok());
  Reopen();
  auto read = store->Get(job.name);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(DumpLikePython(ToJson(read.value())), DumpLikePython(ToJson(job)));
}

TEST_F(StoreTest, OnlyTheOwnerMayReadTheFile) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  for (const char* end : {"", "-wal", "-shm"}) {
    struct stat info{};
    ASSERT_EQ(stat((folder.Path() + end).c_str(), &info), 0) << end;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << end;
  }
}

TEST_F(StoreTest, ANameIsTakenOnce) {
  ASSERT_TRUE(store->Create(SomeJob("a"), {}).ok());
  EXPECT_EQ(store->Create(SomeJob("a"), {}).code(), Code::kExists);
  TrainingJob other = SomeJob("b");
  other.rules[0].job_name = SomeJob("a").rules[0].job_name;
  EXPECT_EQ(store->Create(other, {}).code(), Code::kExists);
  EXPECT_EQ(store->Get("b").status().code(), Code::kNotFound);
  EXPECT_EQ(store->LastEvent(), 1);
}

TEST_F(StoreTest, KnowsWhichRequestMadeAJob) {
  ASSERT_TRUE(store->Create(SomeJob("a"), {"key", "id-1"}).ok());
  ASSERT_TRUE(store->Create(SomeJob("b"), {"key", ""}).ok());
  EXPECT_EQ(store->MadeBy({"key", "id-1"}), "a");
  EXPECT_FALSE(store->MadeBy({"other", "id-1"}));
  EXPECT_FALSE(store->MadeBy({"key", "id-2"}));
  EXPECT_FALSE(store->MadeBy({"key", ""}));
  ASSERT_TRUE(store->Delete("a").ok());
  EXPECT_FALSE(store->MadeBy({"key", "id-1"}));
}

TEST_F(StoreTest, ForgetsWhichRequestItWasAfterAWhile) {
  ASSERT_TRUE(store->Create(SomeJob("a"), {"key", "id-1"}).ok());
  auto other = db::Connection::Open(folder.Path(), db::Connection::Mode::kReadWrite);
  ASSERT_TRUE(other.value()->Execute("UPDATE invocations SET made = made - 901000").ok());
  EXPECT_FALSE(store->MadeBy({"key", "id-1"}));
  ASSERT_TRUE(store->Create(SomeJob("b"), {"key", "id-2"}).ok());
  EXPECT_EQ(other.value()->One("SELECT count(*) FROM invocations").value(), "1");
}

TEST_F(StoreTest, WhatFailsIsNotKept) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  auto changed = store->Change("demo-001", [](TrainingJob* job) {
    job->failure_reason = "x";
    return Status(Code::kInvalid, "no");
  });
  EXPECT_EQ(changed.status().message(), "no");
  EXPECT_EQ(store->Get("demo-001").value().failure_reason, "");
  changed = store->Change("demo-001", [](TrainingJob* job) {
    job->name = "other";
    return Status();
  });
  EXPECT_EQ(changed.status().code(), Code::kInvalid);
  changed = store->Change("none", [](TrainingJob*) { return Status(); });
  EXPECT_EQ(changed.status().code(), Code::kNotFound);
}

TEST_F(StoreTest, AChangeSetsItsTimeAndNothingElseDoes) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  auto same = store->Change("demo-001", [](TrainingJob*) { return Status(); });
  EXPECT_EQ(same.value().modified, SomeJob().modified);
  auto changed = store->Change("demo-001", [](TrainingJob* job) {
    job->tags.emplace_back("new", "tag");
    return Status();
  });
  EXPECT_GT(changed.value().modified, SomeJob().modified);
  EXPECT_EQ(store->Get("demo-001").value().modified, changed.value().modified);
}

TEST_F(StoreTest, FindsRuleJobsByName) {
  ASSERT_TRUE(store->Create(SomeJob("a"), {}).ok());
  auto found = store->FindRuleJob("a-lg-5e6f7a8b");
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found.value().first.name, "a");
  EXPECT_EQ(found.value().second, 1u);
  EXPECT_EQ(store->FindRuleJob("a").status().code(), Code::kNotFound);
  auto changed = store->Change("a", [](TrainingJob* job) {
    job->rules.push_back(SomeRule("New", RuleJob::Kind::kProfiler, "a-new-00000000"));
    return Status();
  });
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(store->FindRuleJob("a-new-00000000").value().second, 2u);
  ASSERT_TRUE(store->Delete("a").ok());
  EXPECT_EQ(store->FindRuleJob("a-new-00000000").status().code(), Code::kNotFound);
  EXPECT_EQ(store->Delete("a").code(), Code::kNotFound);
}

TEST_F(StoreTest, AJobIsUnfinishedUntilItsRulesAre) {
  ASSERT_TRUE(store->Create(SomeJob("a"), {}).ok());
  ASSERT_TRUE(store->Create(SomeJob("b"), {}).ok());
  EXPECT_EQ(store->Unfinished().value(), (std::vector<std::string>{"a", "b"}));
  const auto end = [](TrainingJob* job) {
    Enter(job, SecondaryStatus::kCompleted, "Training job completed", Now());
    return Status();
  };
  ASSERT_TRUE(store->Change("a", end).ok());
  EXPECT_EQ(store->Unfinished().value().size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const auto end_rule = [&](TrainingJob* job) {
      SetRuleStatus(job, i, RuleStatus::kNoIssuesFound, "", Now());
      return Status();
    };
    ASSERT_TRUE(store->Change("a", end_rule).ok());
  }
  Reopen();
  EXPECT_EQ(store->Unfinished().value(), std::vector<std::string>{"b"});
}

TEST_F(StoreTest, RemembersHowFarReceiversGot) {
  EXPECT_FALSE(store->CursorOf("hook"));
  ASSERT_TRUE(store->SetCursor("hook", 7).ok());
  ASSERT_TRUE(store->SetCursor("hook", 8).ok());
  Reopen();
  EXPECT_EQ(store->CursorOf("hook"), 8);
}

TEST_F(StoreTest, NoChangeOfManyThreadsIsLost) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  constexpr int kThreads = 4, kChanges = 25;
  std::atomic<bool> done = false;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < kChanges; ++i) {
        auto changed = store->Change("demo-001", [](TrainingJob* job) {
          ++job->rules[0].restarts;
          return Status();
        });
        if (!changed.ok()) ++failed;
      }
    });
  }
  std::thread reader([&] {
    int last = 0;
    while (!done) {
      auto job = store->Get("demo-001");
      if (!job.ok() || job.value().rules[0].restarts < last) ++failed;
      if (job.ok()) last = job.value().rules[0].restarts;
      if (!store->List({}).ok()) ++failed;
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  reader.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(store->Get("demo-001").value().rules[0].restarts, kThreads * kChanges);
}

TEST_F(StoreTest, ReadersDoNotWaitForAChange) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  auto changed = store->Change("demo-001", [&](TrainingJob* job) {
    job->failure_reason = "later";
    // In the midst of it others see what was before.
    EXPECT_EQ(store->Get("demo-001").value().failure_reason, "");
    EXPECT_EQ(store->List({}).value().items.size(), 1u);
    EXPECT_EQ(store->LastEvent(), 1);
    return Status();
  });
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(store->Get("demo-001").value().failure_reason, "later");
}

// Writes that queue up behind a lock of another process do not wait for it one after the other.
TEST_F(StoreTest, SaysSoonThatAnotherProcessKeepsItLocked) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  auto other = db::Connection::Open(folder.Path(), db::Connection::Mode::kReadWrite);
  ASSERT_TRUE(other.ok());
  // Clients were promised an answer within two seconds.
  EXPECT_LT(std::stoi(other.value()->One("PRAGMA busy_timeout").value()), 2000);
  constexpr int kThreads = 8;
  std::atomic<int> refused = 0, at_once = 0;
  {
    const db::Transaction locked(other.value().get());
    ASSERT_TRUE(locked.status().ok());
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const Status status = store->Create(SomeJob("other-" + std::to_string(i)), {});
        if (status.code() == Code::kUnavailable) ++refused;
        if (status.message().find("locked by another process") != std::string::npos) ++at_once;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(store->List({}).value().items.size(), 1u);  // Reading works meanwhile.
  }
  EXPECT_EQ(refused, kThreads);
  EXPECT_GE(at_once, 1) << "nobody waited in vain for a turn";
  EXPECT_TRUE(store->Create(SomeJob("later"), {}).ok());
}

TEST_F(StoreTest, IsCopiedWhileItIsInUse) {
  ASSERT_TRUE(store->Create(SomeJob(), {}).ok());
  const std::string copy = folder.folder() + "/copy.db";
  const Status status = CopyJobStore(folder.Path(), copy);
  ASSERT_TRUE(status.ok()) << status.message();
  struct stat info{};
  ASSERT_EQ(stat(copy.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_TRUE(store->Delete("demo-001").ok());
  auto copied = OpenJobStore(copy);
  ASSERT_TRUE(copied.ok()) << copied.status().message();
  EXPECT_TRUE(copied.value()->Get("demo-001").ok());
  EXPECT_EQ(CopyJobStore(folder.Path(), copy).code(), Code::kExists);
  EXPECT_EQ(CopyJobStore(folder.folder() + "/none.db", copy + "2").code(), Code::kNotFound);
}

}  // namespace
}  // namespace warden::jobs
