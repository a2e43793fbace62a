// Answers that have no end: server-sent events and WebSockets.

#include <gtest/gtest.h>

#include <vector>

#include "warden/http/client_for_test.h"
#include "warden/http/site_for_test.h"

namespace warden::http {
namespace {

class LiveTest : public ServerTest {
 protected:
  LiveTest() {
    site_.AddText("/events", [this](const RequestHead&, const std::string&) {
      Response response;
      response.headers = {{"Content-Type", "text/event-stream"}};
      response.live = [this](std::shared_ptr<LivePipe> pipe) {
        const std::lock_guard lock(mutex_);
        pipes_.push_back(std::move(pipe));
        added_.notify_all();
      };
      return response;
    });
  }

  // A client that has got its head, and the pipe to it.
  std::shared_ptr<LivePipe> Connect(TestClient* client) {
    std::unique_lock lock(mutex_);
    const size_t before = pipes_.size();
    client->Send(Get("/events"));
    added_.wait_for(lock, std::chrono::seconds(20), [&] { return pipes_.size() > before; });
    EXPECT_EQ(StatusOf(client->ReadUntil("\r\n\r\n")), "200");
    return pipes_.back();
  }

  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<std::shared_ptr<LivePipe>> pipes_;
};

TEST_F(LiveTest, SendsWhatComesAndEnds) {
  TestClient client(Start());
  const auto pipe = Connect(&client);
  EXPECT_TRUE(client.IsQuiet());
  EXPECT_TRUE(pipe->Send("data: 1\n\n"));
  EXPECT_EQ(client.ReadUntil("\n\n\r\n"), "9\r\ndata: 1\n\n\r\n");
  EXPECT_TRUE(pipe->Send("data: two\n\n"));
  pipe->Close();
  EXPECT_FALSE(pipe->Send("data: late\n\n"));
  EXPECT_EQ(client.ReadAll(), "b\r\ndata: two\n\n\r\n0\r\n\r\n");
}

TEST_F(LiveTest, SendsWithoutChunksToOldClients) {
  TestClient client(Start());
  client.Send("GET /events HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n").find("chunked"), std::string::npos);
  std::unique_lock lock(mutex_);
  added_.wait(lock, [this] { return !pipes_.empty(); });
  pipes_[0]->Send("data: 1\n\n");
  pipes_[0]->Close();
  EXPECT_EQ(client.ReadAll(), "data: 1\n\n");
}

TEST_F(LiveTest, ShowsThatItLives) {
  options_.live_heartbeat = std::chrono::milliseconds(50);
  TestClient client(Start());
  const auto pipe = Connect(&client);
  EXPECT_EQ(client.Read(16), "3\r\n:\n\n\r\n3\r\n:\n\n\r\n");
}

TEST_F(LiveTest, NoticesThatTheClientHasGone) {
  TestClient client(Start());
  const auto pipe = Connect(&client);
  client.Close();
  for (int i = 0; i < 2000 && pipe->Send("data: x\n\n"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(pipe->Send("data: x\n\n"));
}

TEST_F(LiveTest, CutsOffTheSlowAndNobodyElse) {
  const uint16_t port = Start();
  TestClient slow(port, /*receive_bytes=*/4096), quick(port);
  const auto to_slow = Connect(&slow);
  const auto to_quick = Connect(&quick);
  const std::string piece = "data: " + std::string(99'992, 'x') + "\n\n";
  int taken = 0;
  while (taken < 1000 && to_slow->Send(piece)) ++taken;
  EXPECT_LT(taken, 1000);
  EXPECT_FALSE(to_slow->Send("data: more\n\n"));
  EXPECT_LT(slow.ReadAll().size(), size_t{100} << 20);  // It ends.
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(to_quick->Send(piece));
    EXPECT_EQ(quick.ReadUntil("\n\n\r\n").size(), piece.size() + 9);
  }
}

TEST_F(LiveTest, AreOverWhenTheServerStops) {
  TestClient client(Start());
  const auto pipe = Connect(&client);
  EXPECT_TRUE(pipe->Send("data: 1\n\n"));
  server_->Stop();
  EXPECT_EQ(client.ReadAll(), "9\r\ndata: 1\n\n\r\n0\r\n\r\n");
  EXPECT_FALSE(pipe->Send("data: 2\n\n"));
  server_.reset();
  pipe->Close();  // Nothing to do, and nothing breaks.
}

TEST_F(LiveTest, AHeadRequestOpensNothing) {
  TestClient client(Start());
  client.Send("HEAD /events HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_EQ(StatusOf(client.ReadUntil("\r\n\r\n")), "200");
  EXPECT_TRUE(pipes_.empty());
}

}  // namespace
}  // namespace warden::http
