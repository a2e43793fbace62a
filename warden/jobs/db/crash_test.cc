#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "warden/jobs/db/sqlite.h"
#include "warden/jobs/db/store_for_test.h"

namespace warden::jobs {
namespace {

// Makes jobs and changes each, and says so by a byte in the pipe when the store has.
[[noreturn]] void WriteUntilKilled(const std::string& path, int round, int pipe) {
  auto store = OpenJobStore(path);
  if (!store.ok()) _exit(3);
  for (int i = 0;; ++i) {
    const std::string name = "job-" + std::to_string(round) + "-" + std::to_string(i);
    if (!store.value()->Create(SomeJob(name), {"key", name}).ok()) _exit(4);
    if (write(pipe, "c", 1) != 1) _exit(0);
    auto changed = store.value()->Change(name, [](TrainingJob* job) {
      Enter(job, SecondaryStatus::kTraining, "Training in progress.", Now());
      SetRuleStatus(job, 0, RuleStatus::kIssuesFound, "found", Now());
      return Status();
    });
    if (!changed.ok()) _exit(5);
    if (write(pipe, "u", 1) != 1) _exit(0);
  }
}

// What the child said was done.
std::string KillAtRandom(const std::string& path, int round, std::chrono::milliseconds after) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    WriteUntilKilled(path, round, ends[1]);
  }
  close(ends[1]);
  std::string said(1, '\0');
  // Counted from its first job on, so that a slow start does not make the round empty.
  if (read(ends[0], said.data(), 1) != 1) said.clear();
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it ended by itself with " << WEXITSTATUS(status);
  char buffer[4096];
  for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    said.append(buffer, static_cast<size_t>(size));
  }
  close(ends[0]);
  return said;
}

TEST(CrashTest, WhatWasToldDoneIsThereAfterAKill) {
  const StoreFolder folder;
  std::mt19937 random(std::random_device{}());
  size_t done = 0;
  for (int round = 0; round < 20; ++round) {
    const std::chrono::milliseconds after(random() % 40);
    const std::string said = KillAtRandom(folder.Path(), round, after);
    auto store = folder.Open();
    ASSERT_NE(store, nullptr);
    for (size_t i = 0; i < said.size(); ++i) {
      const std::string name = "job-" + std::to_string(round) + "-" + std::to_string(i / 2);
      auto job = store->Get(name);
      ASSERT_TRUE(job.ok()) << job.status().message();
      if (i % 2 == 0) {
        EXPECT_EQ(store->MadeBy({"key", name}), name);
      } else {
        EXPECT_EQ(job.value().secondary, SecondaryStatus::kTraining);
        EXPECT_EQ(store->FindRuleJob(job.value().rules[0].job_name).value().first.name, name);
      }
    }
    done += said.size();
    // A job's creation is one event; its change one of the job and one of the rule, or none.
    const int64_t events = store->LastEvent();
    EXPECT_EQ(store->EventsAfter(0, 100'000).value().size(), static_cast<size_t>(events));
    auto connection = db::Connection::Open(folder.Path(), db::Connection::Mode::kReadOnly);
    ASSERT_TRUE(connection.ok());
    EXPECT_EQ(connection.value()->One("PRAGMA integrity_check").value(), "ok");
    EXPECT_EQ(connection.value()->One("PRAGMA foreign_key_check").value(), "");
    const std::string torn = connection.value()
                                 ->One(
                                     "SELECT count(*) FROM jobs WHERE status != "
                                     "json_extract(document, '$.status')")
                                 .value();
    EXPECT_EQ(torn, "0");
  }
  EXPECT_GE(done, 20u);
}

}  // namespace
}  // namespace warden::jobs
