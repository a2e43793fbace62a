#include "warden/jobs/exec/exec_handler.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <variant>

#include "warden/base/json.h"
#include "warden/jobs/logs/log_file.h"

namespace warden::jobs {
namespace {

// Takes everybody for the owner of a key with the scopes that the test gives.
class ScopedAuthenticator : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead& head, std::string_view) const override {
    if (head.Header("Authorization").empty()) {
      return auth::Refusal{"MissingAuthenticationTokenException", "no token"};
    }
    auth::Identity identity{"WARDENKEY", "000000000000", "us-east-1", scopes};
    identity.limits = limits;
    return identity;
  }
  uint8_t scopes = 7;
  auth::KeyLimits limits;
};

class CollectingClient : public http::Socket {
 public:
  bool Send(std::string message) override {
    const std::lock_guard lock(mutex_);
    all_ += message.substr(1);
    return true;
  }
  void Close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // All that came, when it is over.
  std::string All() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), [&] { return closed_; }));
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string all_;
  bool closed_ = false;
};

class ExecTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/execXXXXXX";
    options_.data = mkdtemp(pattern.data());
    store_ = OpenJobStore(options_.data + "/warden.db").value();
    handler_ = MakeExec(&options_, &authenticator_, store_.get());
    TrainingJob job;
    job.name = "demo";
    job.request = {{"TrainingJobName", "demo"},
                   {"ResourceConfig", {{"InstanceCount", 2}}},
                   {"RemoteDebugConfig", {{"EnableRemoteDebug", true}}}};
    job.created = job.modified = Now();
    Enter(&job, SecondaryStatus::kTraining, "", Now());
    ASSERT_TRUE(store_->Create(job, {}).ok());
    WriteSpec("algo-2", R"({"environment": ["PATH=/usr/bin:/bin", "TERM=x", "HERE=algo-2"],
                            "directory": "/usr"})");
  }
  void TearDown() override {
    handler_.reset();
    store_.reset();
    std::filesystem::remove_all(options_.data);
  }

  void WriteSpec(const std::string& host, const std::string& text) {
    const std::string folder = service::DataLayout(options_.data).Host("demo", host);
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/spec.json") << text;
  }
  http::Response Ask(const std::string& query, bool upgrade = true, bool key = true) {
    http::RequestHead head{"GET", "/-/exec", query, {}, "127.0.0.1", "0123456789ab"};
    if (upgrade) head.headers.emplace_back("Upgrade", "WebSocket");
    if (key) head.headers.emplace_back("Authorization", "Bearer x");
    return handler_->Begin(head)->Answer();
  }
  int StatusOf(const std::string& query) { return Ask(query).status; }
  std::string MessageOf(const std::string& query) {
    return ParseJson(Ask(query).body).value()["message"].get<std::string>();
  }
  void Change(const std::function<void(TrainingJob*)>& change) {
    ASSERT_TRUE(store_
                    ->Change("demo",
                             [&](TrainingJob* job) {
                               change(job);
                               return Status();
                             })
                    .ok());
  }
  std::vector<std::string> Log(const std::string& host) {
    std::vector<std::string> texts;
    const std::string folder =
        service::DataLayout::Log(service::DataLayout(options_.data).Host("demo", host));
    const auto part = ReadLog(folder, 0, 100, 1 << 20);
    if (!part.ok()) return texts;
    for (const LogLine& line : part.value().lines) texts.push_back(line.text);
    return texts;
  }

  service::ServiceOptions options_;
  ScopedAuthenticator authenticator_;
  std::unique_ptr<JobStore> store_;
  std::unique_ptr<http::Handler> handler_;
};

TEST_F(ExecTest, RunsInTheHostAndKeepsARecord) {
  http::Response response =
      Ask("job=demo&host=algo-2&term=xterm&columns=77&word=sh&word=-c&word=pwd%3B%20echo%20%24HERE%"
          "20%24TERM%3B%20stty%20size");
  ASSERT_TRUE(response.socket.has_value()) << response.body;
  auto client = std::make_shared<CollectingClient>();
  response.socket->opened(client);
  EXPECT_EQ(client->All(), "/usr\r\nalgo-2 xterm\r\n24 77\r\n{\"exit_code\": 0}");
  response.socket->closed();
  const auto log = Log("algo-2");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].find("[remote-debug] 20"), 0u);
  EXPECT_NE(log[0].find("Z key WARDENKEY session 01234567: opened from 127.0.0.1 to run: sh -c "
                        "pwd; echo $HERE $TERM; stty size"),
            std::string::npos)
      << log[0];
  EXPECT_NE(log[1].find("session 01234567: closed: exit code 0"), std::string::npos) << log[1];
}

TEST_F(ExecTest, RecordsACommandOfOneWord) {
  http::Response response = Ask("job=demo&host=algo-2&word=pwd");
  auto client = std::make_shared<CollectingClient>();
  response.socket->opened(client);
  EXPECT_EQ(client->All(), "/usr\r\n{\"exit_code\": 0}");
  response.socket->closed();
  const auto log = Log("algo-2");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_TRUE(log[0].ends_with("opened from 127.0.0.1 to run: pwd")) << log[0];
}

TEST_F(ExecTest, EntersTheContainerOfTheHost) {
  // "echo" in place of the container runtime shows what that is asked to do.
  WriteSpec("algo-1", R"({"environment": ["PATH=/usr/bin:/bin"], "directory": "/",
                          "cleaning": ["echo", "rm", "--force", "warden-demo"]})");
  http::Response response = Ask("job=demo&word=ls&word=/opt/ml");
  auto client = std::make_shared<CollectingClient>();
  response.socket->opened(client);
  EXPECT_EQ(client->All(),
            "exec --interactive --tty --env TERM warden-demo ls /opt/ml\r\n{\"exit_code\": 0}");
}

TEST_F(ExecTest, ClosesWhenItIsSwitchedOff) {
  http::Response response = Ask("job=demo&host=algo-2&word=sleep&word=600");
  auto client = std::make_shared<CollectingClient>();
  response.socket->opened(client);
  Change([](TrainingJob* job) { job->request["RemoteDebugConfig"]["EnableRemoteDebug"] = false; });
  EXPECT_NE(client->All().find("remote debugging of demo is off"), std::string::npos);
}

TEST_F(ExecTest, ClosesWhenTheJobEndsAndWithTheService) {
  http::Response first = Ask("job=demo&host=algo-2&word=sleep&word=600");
  auto client = std::make_shared<CollectingClient>();
  first.socket->opened(client);
  Change([](TrainingJob* job) { Enter(job, SecondaryStatus::kUploading, "", Now()); });
  EXPECT_NE(client->All().find("demo is not training; its status is Uploading"), std::string::npos);
  Change([](TrainingJob* job) { Enter(job, SecondaryStatus::kTraining, "", Now()); });
  http::Response second = Ask("job=demo&host=algo-2&word=sleep&word=600");
  client = std::make_shared<CollectingClient>();
  second.socket->opened(client);
  http::Response late = Ask("job=demo&host=algo-2&word=sleep&word=600");
  handler_.reset();
  EXPECT_NE(client->All().find("the service is shutting down"), std::string::npos);
  // One that was answered and opens only now.
  client = std::make_shared<CollectingClient>();
  late.socket->opened(client);
  EXPECT_EQ(client->All(), "");
}

TEST_F(ExecTest, OnlyWithTheScope) {
  authenticator_.scopes =
      static_cast<uint8_t>(auth::Scope::kRead) | static_cast<uint8_t>(auth::Scope::kWrite);
  EXPECT_EQ(StatusOf("job=demo&host=algo-2"), 403);
  EXPECT_EQ(Ask("job=demo&host=algo-2", true, /*key=*/false).status, 403);
}

TEST_F(ExecTest, OnlyInJobsOfTheKey) {
  authenticator_.limits = {.jobs = {"demo-"}, .buckets = {"demo-"}};
  EXPECT_EQ(StatusOf("job=demo&host=algo-2"), 404);
  EXPECT_EQ(MessageOf("job=demo&host=algo-2"), "no such job: demo");
  authenticator_.limits.jobs = {"dem"};
  EXPECT_TRUE(Ask("job=demo&host=algo-2").socket.has_value());
}

TEST_F(ExecTest, OnlyWhileTheJobAllowsIt) {
  Change([](TrainingJob* job) { job->request.erase("RemoteDebugConfig"); });
  EXPECT_EQ(StatusOf("job=demo&host=algo-2"), 409);
  EXPECT_NE(MessageOf("job=demo").find("--remote-debug on"), std::string::npos);
  Change([](TrainingJob* job) {
    job->request["RemoteDebugConfig"] = {{"EnableRemoteDebug", true}};
    Enter(job, SecondaryStatus::kCompleted, "", Now());
  });
  EXPECT_EQ(MessageOf("job=demo"), "demo is not training; its status is Completed");
}

TEST_F(ExecTest, WhatIsNotThereIsNamed) {
  EXPECT_EQ(StatusOf("job=other"), 404);
  EXPECT_EQ(StatusOf(""), 404);
  EXPECT_EQ(MessageOf("job=demo&host=algo-3"), "no such host: algo-3; demo has algo-1, algo-2");
  EXPECT_EQ(StatusOf("job=demo&host=..%2F..%2Fx"), 404);
  EXPECT_EQ(MessageOf("job=demo"), "the host was not started");
  EXPECT_EQ(StatusOf("job=demo&word=%00"), 400);
  EXPECT_EQ(Ask("job=demo&host=algo-2", /*upgrade=*/false).status, 426);
}

TEST_F(ExecTest, ASpecThatIsDamagedIsTold) {
  for (const char* text :
       {"", "[]", "{}", R"({"environment": 3, "directory": "/"})",
        R"({"environment": ["=x"], "directory": "/"})", R"({"environment": [], "directory": "x"})",
        R"({"environment": [1], "directory": "/"})", R"({"environment": []})"}) {
    WriteSpec("algo-1", text);
    EXPECT_EQ(StatusOf("job=demo"), 409) << text;
  }
}

}  // namespace
}  // namespace warden::jobs
