#include <gtest/gtest.h>

#include "warden/http/client_for_test.h"
#include "warden/http/site_for_test.h"

namespace warden::http {
namespace {

constexpr std::string_view kUpgrade =
    "GET /socket HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

enum : char { kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };

// A frame as clients send it (RFC 6455, 5.2): masked.
std::string Frame(char opcode, std::string_view payload) {
  std::string frame = {static_cast<char>(0x80 | opcode)};
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else {
    frame += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) {
      frame += static_cast<char>(payload.size() >> shift);
    }
  }
  const std::string mask = "\x11\x22\x33\x44";
  frame += mask;
  for (size_t i = 0; i < payload.size(); ++i) {
    frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  }
  return frame;
}

// The opcode and payload of the next frame of the server.
std::pair<int, std::string> ReadFrame(TestClient* client) {
  const std::string begin = client->Read(2);
  if (begin.size() < 2) return {-1, ""};
  size_t size = begin[1] & 0x7F;
  const int more = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (more > 0) size = 0;
  for (const char c : client->Read(static_cast<size_t>(more))) {
    size = size << 8 | static_cast<unsigned char>(c);
  }
  return {begin[0] & 0x0F, client->Read(size)};
}

class WebSocketTest : public ServerTest {
 protected:
  WebSocketTest() {
    site_.AddText("/socket", [this](const RequestHead&, const std::string&) {
      Response response;
      response.socket.emplace();
      response.socket->opened = [this](std::shared_ptr<Socket> socket) {
        socket_ = std::move(socket);
        socket_->Send("welcome");
      };
      response.socket->received = [this](std::string_view message) {
        if (message == "bye") {
          socket_->Send("so long");
          socket_->Close();
        } else {
          socket_->Send("got " + std::string(message));
        }
      };
      response.socket->closed = [this] { closed_.Give(); };
      return response;
    });
  }

  void Open(TestClient* client) {
    client->Send(kUpgrade);
    const std::string answer = client->ReadUntil("\r\n\r\n");
    EXPECT_EQ(StatusOf(answer), "101");
    // The answer to that key, as the RFC has it.
    EXPECT_NE(answer.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos) << answer;
    EXPECT_EQ(ReadFrame(client), std::pair(int{kBinary}, std::string("welcome")));
  }

  std::shared_ptr<Socket> socket_;
  Signal closed_;
};

TEST_F(WebSocketTest, CarriesMessagesBothWays) {
  TestClient client(Start());
  Open(&client);
  client.Send(Frame(kText, "one") + Frame(kBinary, std::string(100'000, 'x')));
  EXPECT_EQ(ReadFrame(&client).second, "got one");
  EXPECT_EQ(ReadFrame(&client).second, "got " + std::string(100'000, 'x'));
  client.Send(Frame(kPing, "there?"));
  EXPECT_EQ(ReadFrame(&client), std::pair(int{kPong}, std::string("there?")));
  EXPECT_FALSE(closed_.is_given());

  client.Send(Frame(kText, "bye"));
  EXPECT_EQ(ReadFrame(&client).second, "so long");
  EXPECT_EQ(ReadFrame(&client).first, kClose);
  client.Send(Frame(kClose, "\x03\xE8"));
  EXPECT_EQ(client.ReadAll(), "");
  client.Close();
  EXPECT_TRUE(closed_.Await());
  EXPECT_FALSE(socket_->Send("late"));
}

TEST_F(WebSocketTest, NoticesThatTheClientHasGone) {
  TestClient client(Start());
  Open(&client);
  client.Abort();
  EXPECT_TRUE(closed_.Await());
  EXPECT_FALSE(socket_->Send("x"));
}

TEST_F(WebSocketTest, PingsAClientThatSaysNothing) {
  options_.idle_time = std::chrono::milliseconds(200);
  TestClient client(Start());
  Open(&client);
  EXPECT_EQ(ReadFrame(&client).first, kPing);
  // One that does not answer has gone.
  EXPECT_TRUE(closed_.Await());
}

TEST_F(WebSocketTest, RefusesHugeMessages) {
  TestClient client(Start());
  Open(&client);
  client.Send(Frame(kBinary, std::string((size_t{1} << 20) + 1, 'x')));
  EXPECT_TRUE(closed_.Await());
}

TEST_F(WebSocketTest, EndsWhenTheServerStops) {
  options_.stop_time = std::chrono::milliseconds(200);
  TestClient client(Start());
  Open(&client);
  server_->Stop();
  EXPECT_TRUE(closed_.is_given());
  EXPECT_EQ(ReadFrame(&client).first, kClose);
}

TEST_F(WebSocketTest, RefusesPlainRequests) {
  TestClient client(Start());
  EXPECT_EQ(StatusOf(client.Ask(Get("/socket"))), "426");
  EXPECT_FALSE(closed_.is_given());
}

}  // namespace
}  // namespace warden::http
