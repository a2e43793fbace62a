#include "warden/jobs/exec/shell_session.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <condition_variable>
#include <filesystem>
#include <thread>

#include "warden/base/json.h"
#include "warden/os/process_table.h"

namespace warden::jobs {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The client's end of the connection, without the network.
class ClientEnd : public http::Socket {
 public:
  bool Send(std::string message) override {
    const std::lock_guard lock(mutex_);
    if (message.front() == kDataMessage) output_ += message.substr(1);
    if (message.front() == kEndMessage) ending_ = ParseJson(message.substr(1)).value();
    changed_.notify_all();
    return true;
  }
  void Close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  bool WaitForOutput(std::string_view text) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(20),
                             [&] { return output_.find(text) != std::string::npos; });
  }
  Json WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, seconds(20), [&] { return closed_; });
    return ending_;
  }
  size_t size() {
    const std::lock_guard lock(mutex_);
    return output_.size();
  }
  std::string output() {
    const std::lock_guard lock(mutex_);
    return output_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string output_;
  Json ending_;
  bool closed_ = false;
};

class SessionTest : public ::testing::Test {
 protected:
  SessionPlan Plan(std::vector<std::string> words) {
    SessionPlan plan;
    plan.launch.words = std::move(words);
    plan.launch.environment = {"PATH=/usr/bin:/bin", "PS1=$ ", "WHERE=algo-1"};
    plan.launch.directory = "/tmp";
    plan.record = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      record_.push_back(line);
    };
    return plan;
  }
  void Open(SessionPlan plan) {
    session_ = std::make_unique<Session>(std::move(plan));
    session_->Open(client_);
  }
  void Type(const std::string& keys) { session_->Receive("d" + keys); }
  std::vector<std::string> Record() {
    const std::lock_guard lock(mutex_);
    return record_;
  }

  std::shared_ptr<ClientEnd> client_ = std::make_shared<ClientEnd>();

 private:
  std::mutex mutex_;
  std::vector<std::string> record_;

 protected:
  std::unique_ptr<Session> session_;  // Ends before what it writes to.
};

using Lines = std::vector<std::string>;

TEST_F(SessionTest, IsInThePlaceOfTheHostAndTellsTheExitCode) {
  Open(Plan({"/bin/sh"}));
  Type("echo $WHERE-$PWD; tty -s && echo ter''minal\r");
  EXPECT_TRUE(client_->WaitForOutput("algo-1-/tmp\r\n"));
  EXPECT_TRUE(client_->WaitForOutput("terminal\r\n"));
  Type("exit 7\r");
  EXPECT_EQ(client_->WaitForEnd(), Json({{"exit_code", 7}}));
  EXPECT_EQ(Record(), (Lines{"opened", "typed: echo $WHERE-$PWD; tty -s && echo ter''minal",
                             "typed: exit 7", "closed: exit code 7"}));
}

TEST_F(SessionTest, PasswordsAreNotRecorded) {
  Open(Plan({"/bin/sh"}));
  Type("stty -echo; echo rea''dy; read x; stty echo; echo got-$x\r");
  ASSERT_TRUE(client_->WaitForOutput("ready"));
  Type("hunter2\r");
  ASSERT_TRUE(client_->WaitForOutput("got-hunter2"));
  Type("exit\r");
  client_->WaitForEnd();
  EXPECT_EQ(Record()[2], "typed: (not shown)");
  for (const std::string& line : Record()) EXPECT_EQ(line.find("hunter2"), std::string::npos);
}

TEST_F(SessionTest, TheWindowHasItsSize) {
  SessionPlan plan = Plan({"/bin/sh"});
  plan.launch.size = {.columns = 91, .rows = 33};
  Open(std::move(plan));
  Type("stty size\r");
  EXPECT_TRUE(client_->WaitForOutput("33 91"));
  session_->Receive("w120x40");
  session_->Receive("w-3x99999999999999999999");
  session_->Receive("w");
  session_->Receive("");
  session_->Receive("?");
  Type("stty size\r");
  EXPECT_TRUE(client_->WaitForOutput("40 120"));
}

TEST_F(SessionTest, WhateverItStartedEndsWithIt) {
  Open(Plan({"/bin/sh"}));
  Type("setsid sh -c 'trap \"\" TERM HUP; echo pid=$$=; sleep 600' & \r");
  ASSERT_TRUE(client_->WaitForOutput("=\r\n"));
  const std::string text = client_->output();
  const pid_t hidden = std::stoi(text.substr(text.rfind("pid=") + 4));
  ASSERT_TRUE(os::FindProcess(hidden).has_value());
  Type("exit\r");
  EXPECT_EQ(client_->WaitForEnd(), Json({{"exit_code", 0}}));
  const auto left = os::FindProcess(hidden);
  EXPECT_TRUE(!left || left->ended);
}

TEST_F(SessionTest, ClosesWhenItIsNoLongerAllowed) {
  SessionPlan plan = Plan({"sleep", "600"});
  auto allowed = std::make_shared<std::atomic<bool>>(true);
  plan.allowed = [allowed] {
    return *allowed ? Status() : Status(Code::kInvalid, "remote debugging was switched off");
  };
  Open(std::move(plan));
  *allowed = false;
  EXPECT_EQ(client_->WaitForEnd(), Json({{"closed", "remote debugging was switched off"}}));
  EXPECT_EQ(Record().back(), "closed: remote debugging was switched off");
}

TEST_F(SessionTest, ClosesWhenNothingIsDone) {
  SessionPlan plan = Plan({"sleep", "600"});
  plan.idle_limit = milliseconds(1);
  Open(std::move(plan));
  EXPECT_EQ(client_->WaitForEnd(), Json({{"closed", "idle for too long"}}));
}

TEST_F(SessionTest, ClosesWithTheConnectionAndTheService) {
  Open(Plan({"sleep", "600"}));
  session_->ConnectionClosed();
  EXPECT_EQ(client_->WaitForEnd(), Json({{"closed", "the connection was closed"}}));
  client_ = std::make_shared<ClientEnd>();
  Open(Plan({"sleep", "600"}));
  session_->End("the service is shutting down");
  EXPECT_EQ(client_->WaitForEnd(), Json({{"closed", "the service is shutting down"}}));
}

TEST_F(SessionTest, AProgramThatIsNotThereIsTold) {
  Open(Plan({"no-such-program"}));
  EXPECT_EQ(client_->WaitForEnd(), Json({{"closed", "no such command: no-such-program"}}));
  client_ = std::make_shared<ClientEnd>();
  Open(Plan({"/etc/passwd"}));
  EXPECT_EQ(client_->WaitForEnd(), Json({{"exit_code", 126}}));
  EXPECT_NE(client_->output().find("Permission denied"), std::string::npos);
}

TEST_F(SessionTest, OutputWaitsForASlowClient) {
  Open(Plan({"sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo all"}));
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_LT(client_->size(), 600'000u);
  for (int i = 0; i < 4000 && client_->output().find("all") == std::string::npos; ++i) {
    session_->Receive("a" + std::to_string(client_->size()));
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(client_->WaitForEnd(), Json({{"exit_code", 0}}));
  EXPECT_EQ(client_->size(), 3'000'000u + std::string("\r\nall\r\n").size());
}

TEST_F(SessionTest, TheEndOfTheInputEndsWhatReadsIt) {
  Open(Plan({"cat"}));
  Type("hello\n");
  ASSERT_TRUE(client_->WaitForOutput("hello\r\nhello\r\n"));
  session_->Receive("e");
  EXPECT_EQ(client_->WaitForEnd(), Json({{"exit_code", 0}}));
  client_ = std::make_shared<ClientEnd>();
  Open(Plan({"cat"}));
  Type("no end of line");
  session_->Receive("e");
  EXPECT_EQ(client_->WaitForEnd(), Json({{"exit_code", 0}}));
}

TEST_F(SessionTest, KeysThatNobodyTakesAreLimited) {
  Open(Plan({"sleep", "600"}));
  for (int i = 0; i < 40; ++i) Type(std::string(64 << 10, 'x'));
  EXPECT_EQ(client_->WaitForEnd(), Json({{"closed", "input was not read fast enough"}}));
}

}  // namespace
}  // namespace warden::jobs
