#include "warden/jobs/supervise/live_events.h"

#include <gtest/gtest.h>

#include <mutex>

#include "warden/jobs/supervise/service_for_test.h"

namespace warden::jobs {
namespace {

// Keeps what it is sent.
class KeptPipe : public http::LivePipe {
 public:
  bool Send(std::string piece) override {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    text_ += piece;
    return true;
  }
  void Close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  bool closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  // The numbers of the events it got, in order.
  std::vector<int64_t> Ids() {
    std::vector<int64_t> ids;
    const std::string all = text();
    for (size_t at = 0; (at = all.find("id: ", at)) != std::string::npos; at += 4) {
      ids.push_back(std::atoll(all.c_str() + at + 4));
    }
    return ids;
  }

 private:
  std::mutex mutex_;
  std::string text_;
  bool closed_ = false;
};

// "Bearer read" may read, "Bearer limited" too but of some jobs, "Bearer nothing" may not.
class TestAuthenticator : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead& head, std::string_view) const override {
    const std::string_view word = head.Header("Authorization");
    if (!word.starts_with("Bearer "))
      return auth::Refusal{"MissingAuthenticationTokenException", "no"};
    auth::Identity identity;
    if (word != "Bearer nothing") identity.scopes = static_cast<uint8_t>(auth::Scope::kRead);
    if (word == "Bearer limited") identity.limits = {.jobs = {"team-"}, .buckets = {"team-"}};
    return identity;
  }
};

class LiveEventsTest : public SuperviseTest {
 protected:
  http::Response Ask(const std::string& query, const http::Headers& more = {},
                     const std::string& method = "GET", const std::string& key = "Bearer read") {
    http::RequestHead head;
    head.method = method;
    head.path = "/-/events";
    head.query = query;
    head.headers = more;
    if (!key.empty()) head.headers.emplace_back("Authorization", key);
    return handler_->Begin(head)->Answer();
  }
  std::shared_ptr<KeptPipe> Listen(const std::string& query, const http::Headers& more = {}) {
    const http::Response response = Ask(query, more);
    EXPECT_EQ(response.status, 200) << response.body;
    auto pipe = std::make_shared<KeptPipe>();
    if (response.live) response.live(pipe);
    return pipe;
  }
  std::vector<int64_t> Numbers(int64_t from) {
    std::vector<int64_t> numbers;
    for (int64_t number = from; number <= store_->LastEvent(); ++number) numbers.push_back(number);
    return numbers;
  }

  TestAuthenticator authenticator_;
  std::unique_ptr<http::Handler> handler_ = MakeLiveEvents(store_.get(), &authenticator_);
};

TEST_F(LiveEventsTest, HistoryFirstThenWhatHappens) {
  for (int i = 0; i < 40; ++i) Create(Job("job-" + std::to_string(i)));
  const int64_t before = store_->LastEvent();
  const auto all = Listen("after=0");
  const auto rest = Listen("after=3");
  const auto resumed = Listen("after=3", {{"Last-Event-ID", std::to_string(before - 1)}});
  const auto next = Listen("");
  ASSERT_TRUE(WaitFor([&] { return all->Ids() == Numbers(1); }));
  Create(Job("last"));
  ASSERT_TRUE(WaitFor([&] { return all->Ids() == Numbers(1); }));
  ASSERT_TRUE(WaitFor([&] { return rest->Ids() == Numbers(4); }));
  ASSERT_TRUE(WaitFor([&] { return resumed->Ids() == Numbers(before); }));
  ASSERT_TRUE(WaitFor([&] { return next->Ids() == Numbers(before + 1); }));
  EXPECT_NE(next->text().find("\ndata: {\"version\": \"0\", "), std::string::npos) << next->text();
  handler_.reset();
  EXPECT_TRUE(all->closed() && next->closed());
}

TEST_F(LiveEventsTest, WhoHasGoneIsForgotten) {
  const auto gone = Listen("");
  const auto here = Listen("");
  gone->Close();
  Create(Job("job"));
  ASSERT_TRUE(WaitFor([&] { return here->Ids() == Numbers(1); }));
  Create(Job("other"));
  ASSERT_TRUE(WaitFor([&] { return here->Ids() == Numbers(1); }));
  EXPECT_LE(gone.use_count(), 1) << "nobody keeps it";
}

TEST_F(LiveEventsTest, OnlyForThoseWhoMay) {
  EXPECT_EQ(Ask("", {}, "GET", "").status, 403);
  EXPECT_EQ(Ask("", {}, "GET", "Bearer nothing").status, 403);
  const http::Response limited = Ask("", {}, "GET", "Bearer limited");
  EXPECT_EQ(limited.status, 403);
  EXPECT_NE(limited.body.find("this key is limited to some jobs"), std::string::npos);
  EXPECT_EQ(Ask("", {}, "POST").status, 405);
  EXPECT_EQ(Ask("after=x").status, 400);
  EXPECT_EQ(Ask("after=-1").status, 400);
  EXPECT_EQ(Ask("after=99999999999999999999").status, 400);
  EXPECT_EQ(Ask("", {{"Last-Event-ID", "; drop"}}).status, 400);
  EXPECT_EQ(Ask("other=1&after=5").status, 200);
}

}  // namespace
}  // namespace warden::jobs
