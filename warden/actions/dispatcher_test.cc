#include "warden/actions/dispatcher.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <set>
#include <thread>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::actions {
namespace {

using State = Outcome::State;
using std::chrono::milliseconds;
using Behaviour = std::function<Attempt(const Firing&, const std::stop_token&)>;

const ActionConfig kStop = StopTrainingConfig{};
const ActionConfig kEmail = EmailConfig{"a@b.com"};
const ActionConfig kSms = SmsConfig{"+1234567"};

class FakeAction : public Action {
 public:
  explicit FakeAction(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}
  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    return behaviour_(firing, stop);
  }

 private:
  Behaviour behaviour_;
};

// What actions do, and what came of it.
class World {
 public:
  std::map<std::string, Behaviour> behaviours;  // By the action's name; others succeed.

  std::unique_ptr<Dispatcher> Open(const std::string& journal = "") {
    DispatcherOptions options;
    options.journal = journal;
    options.waits = {milliseconds(1), milliseconds(1)};
    options.on_outcome = [this](const Outcome& outcome) {
      const std::lock_guard lock(mutex_);
      told_.push_back(std::string(ActionName(outcome.action)) + " " +
                      std::string(StateName(outcome.state)));
    };
    auto dispatcher = Dispatcher::Open(std::move(options),
                                       [this](const ActionConfig& config) { return Make(config); });
    EXPECT_TRUE(dispatcher.ok()) << dispatcher.status().message();
    return std::move(dispatcher).value();
  }
  std::vector<std::string> TakeTold() {
    const std::lock_guard lock(mutex_);
    return std::exchange(told_, {});
  }

 private:
  Result<std::unique_ptr<Action>> Make(const ActionConfig& config) {
    const auto known = behaviours.find(std::string(ActionName(config)));
    return std::unique_ptr<Action>(std::make_unique<FakeAction>(
        known != behaviours.end() ? known->second : [](const Firing&, const std::stop_token&) {
          return Attempt(Status());
        }));
  }

  std::mutex mutex_;
  std::vector<std::string> told_;
};

Attempt UntilStopped(const Firing&, const std::stop_token& stop) {
  while (!stop.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
  return Status(Code::kUnavailable, "interrupted");
}

Behaviour FailingTimes(int times, Code code = Code::kUnavailable) {
  auto left = std::make_shared<std::atomic<int>>(times);
  return [left, code](const Firing&, const std::stop_token&) -> Attempt {
    return (*left)-- > 0 ? Status(code, "no luck") : Status();
  };
}

using Strings = std::vector<std::string>;

TEST(DispatcherTest, DoesEachActionOfAFiringOnce) {
  World world;
  const auto dispatcher = world.Open();
  const std::vector<ActionConfig> actions = {kEmail, kSms, kEmail};
  dispatcher->Submit(SomeFiring(), actions);
  dispatcher->Submit(SomeFiring(), actions);
  EXPECT_TRUE(dispatcher->Finish(milliseconds(20'000)).empty());
  EXPECT_EQ(world.TakeTold(), (Strings{"email done", "sms done"}));
  dispatcher->Submit(SomeFiring(), std::vector<ActionConfig>{kStop});
  EXPECT_TRUE(world.TakeTold().empty());
}

TEST(DispatcherTest, TriesAgainWhatMayHelpAndGivesUpInTheEnd) {
  World world;
  world.behaviours["email"] = FailingTimes(2);
  world.behaviours["sms"] = FailingTimes(3);
  world.behaviours["webhook"] = FailingTimes(1, Code::kInvalid);
  const auto dispatcher = world.Open();
  dispatcher->Submit(SomeFiring(), std::vector<ActionConfig>{kEmail});
  EXPECT_TRUE(dispatcher->Finish(milliseconds(20'000)).empty());
  EXPECT_EQ(world.TakeTold(), (Strings{"email failed", "email failed", "email done"}));

  const auto second = world.Open();
  second->Submit(SomeFiring(), std::vector<ActionConfig>{kSms});
  const auto left = second->Finish(milliseconds(20'000));
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].state, State::kGaveUp);
  EXPECT_EQ(left[0].attempts, 3);
  EXPECT_EQ(left[0].status.message(), "no luck");
  world.TakeTold();

  const auto third = world.Open();
  third->Submit(SomeFiring(), std::vector<ActionConfig>{WebhookConfig{"http://h/", "", ""}});
  EXPECT_EQ(third->Finish(milliseconds(20'000)).size(), 1U);
  EXPECT_EQ(world.TakeTold(), Strings{"webhook gave_up"});
}

TEST(DispatcherTest, WaitsAsLongAsItIsAsked) {
  World world;
  auto first = std::make_shared<std::atomic<bool>>(true);
  world.behaviours["webhook"] = [first](const Firing&, const std::stop_token&) -> Attempt {
    if (first->exchange(false)) return {Status(Code::kUnavailable, "busy"), milliseconds(300)};
    return Status();
  };
  const auto dispatcher = world.Open();
  const auto begin = std::chrono::steady_clock::now();
  dispatcher->Submit(SomeFiring(), std::vector<ActionConfig>{WebhookConfig{"http://h/", "", ""}});
  EXPECT_TRUE(dispatcher->Finish(milliseconds(20'000)).empty());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(300));
}

TEST(DispatcherTest, ASlowServerDoesNotDelayAStop) {
  World world;
  std::atomic<bool> stopped = false;
  world.behaviours["email"] = &UntilStopped;
  world.behaviours["stoptraining"] = [&](const Firing&, const std::stop_token&) -> Attempt {
    stopped = true;
    return Status();
  };
  const auto dispatcher = world.Open();
  dispatcher->Submit(SomeFiring(), std::vector<ActionConfig>{kEmail, kStop});
  for (int i = 0; i < 2000 && !stopped; ++i) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_TRUE(stopped);
  const auto left = dispatcher->Finish(milliseconds(10));
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(ActionName(left[0].action), "email");
  EXPECT_EQ(left[0].state, State::kQueued);
  EXPECT_EQ(left[0].status.message(), "interrupted");
}

TEST(DispatcherTest, TellsWhatItHadNoTimeFor) {
  World world;
  world.behaviours["email"] = &UntilStopped;
  const auto dispatcher = world.Open();
  dispatcher->Submit(SomeFiring(), std::vector<ActionConfig>{kEmail, kSms});
  std::set<std::string> reasons;
  for (const Outcome& left : dispatcher->Finish(milliseconds(200))) {
    reasons.insert(left.status.message());
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"interrupted", "not attempted in time"}));
}

TEST(DispatcherTest, AfterARestartDoesWhatWasLeftAndNothingElse) {
  const os::TempFolder folder;
  const std::string journal = folder.File("rule-output/actions.jsonl");
  const std::vector<ActionConfig> actions = {kSms, kStop, kEmail};
  {
    World world;
    world.behaviours["email"] = &UntilStopped;
    world.behaviours["stoptraining"] = FailingTimes(1, Code::kNotFound);
    const auto dispatcher = world.Open(journal);
    dispatcher->Submit(SomeFiring(), actions);
    EXPECT_EQ(dispatcher->Finish(milliseconds(1000)).size(), 2U);
  }
  World world;
  std::string job;
  world.behaviours["email"] = [&](const Firing& firing, const std::stop_token&) -> Attempt {
    job = firing.job;
    EXPECT_EQ(ToJson(firing), ToJson(SomeFiring()));
    return Status();
  };
  const auto dispatcher = world.Open(journal);
  dispatcher->Submit(SomeFiring(), actions);
  EXPECT_TRUE(dispatcher->Finish(milliseconds(20'000)).empty());
  EXPECT_EQ(world.TakeTold(), Strings{"email done"});
  EXPECT_EQ(job, "demo-001");
}

// While it lives, files of this process cannot grow, as on a full disk.
class FullDisk {
 public:
  FullDisk() {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit nothing{10, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &nothing);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

TEST(DispatcherTest, StopsJobsAlsoWhenTheDiskIsFull) {
  const os::TempFolder folder;
  World world;
  const auto dispatcher = world.Open(folder.File("actions.jsonl"));
  const FullDisk full;
  dispatcher->Submit(SomeFiring(), std::vector<ActionConfig>{kStop});
  EXPECT_TRUE(dispatcher->Finish(milliseconds(20'000)).empty());
  EXPECT_EQ(world.TakeTold(), Strings{"stoptraining done"});
}

TEST(DispatcherTest, GivesUpWhatCannotBeMade) {
  DispatcherOptions options;
  auto dispatcher = Dispatcher::Open(options, [](const ActionConfig&) {
    return Result<std::unique_ptr<Action>>(Status(Code::kInvalid, "not set"));
  });
  dispatcher.value()->Submit(SomeFiring(), std::vector<ActionConfig>{kEmail});
  const auto left = dispatcher.value()->Finish(milliseconds(20'000));
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].status.message(), "not set");
}

}  // namespace
}  // namespace warden::actions
