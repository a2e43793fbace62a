// What a server does with clients that are slow, greedy or broken.

#include <gtest/gtest.h>

#include <random>

#include "warden/http/client_for_test.h"
#include "warden/http/site_for_test.h"

namespace warden::http {
namespace {

using std::chrono::milliseconds;
using LimitsTest = ServerTest;

TEST_F(LimitsTest, EndsSlowHeads) {
  options_.head_time = milliseconds(200);
  const uint16_t port = Start();
  TestClient client(port);
  client.Send("GET / HTTP/1.1\r\nHost");
  const std::string answer = client.ReadAll();
  EXPECT_EQ(StatusOf(answer), "408");
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  // One that says nothing at all is told nothing.
  EXPECT_EQ(TestClient(port).ReadAll(), "");
}

TEST_F(LimitsTest, EndsIdleConnections) {
  options_.idle_time = milliseconds(200);
  TestClient client(Start());
  EXPECT_EQ(StatusOf(client.Ask(Get("/"))), "200");
  EXPECT_EQ(client.ReadAll(), "");
}

TEST_F(LimitsTest, EndsBodiesThatDoNotCome) {
  options_.body_stall = milliseconds(200);
  TestClient client(Start());
  client.Send("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(StatusOf(client.ReadAll()), "408");
}

// Sends a byte every 20 ms until it is answered, or for four seconds. Returns the answer.
std::string Trickle(TestClient* client, std::string_view head) {
  client->Send(head);
  for (int i = 0; i < 200; ++i) {
    if (!client->IsQuiet(20)) break;
    client->Send("x");
  }
  return client->ReadUntil("\r\n\r\n");
}

TEST_F(LimitsTest, EndsBodiesThatTrickle) {
  options_.body_grace = milliseconds(300);
  TestClient client(Start());
  EXPECT_EQ(
      StatusOf(Trickle(&client, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n")),
      "408");
}

TEST_F(LimitsTest, ABodyAtTheLeastRateIsTaken) {
  options_.body_grace = milliseconds(100);
  options_.body_rate = 10;
  TestClient client(Start());
  client.Send("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 20\r\n\r\n");
  for (int i = 0; i < 20; ++i) {
    client.Send("x");
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(BodyOf(client.ReadAnswer()), std::string(20, 'x'));
}

TEST_F(LimitsTest, DoesNotWaitForABodyThatNobodyWants) {
  site_.Add("/refused", [](const RequestHead&) {
    Response response;
    response.status = 403;
    return AnswerAtOnce(std::move(response));
  });
  TestClient client(Start());
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(StatusOf(Trickle(&client,
                             "PUT /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n")),
            "403");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(3));
}

TEST_F(LimitsTest, EndsClientsThatDoNotRead) {
  options_.write_stall = milliseconds(200);
  options_.max_connections = 1;
  site_.AddText("/much", [](const RequestHead&, const std::string&) {
    return Text(std::string(size_t{64} << 20, 'x'));
  });
  TestClient client(Start(), /*receive_bytes=*/4096);
  client.Send(Get("/much"));
  // There is room for another as soon as it is thrown out.
  std::string status;
  for (int i = 0; i < 2000 && status != "200"; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
    status = StatusOf(TestClient(server_->port()).Ask(Get("/")));
  }
  EXPECT_EQ(status, "200");
  EXPECT_LT(client.ReadAll().size(), size_t{64} << 20);
}

TEST_F(LimitsTest, RefusesHugeHeads) {
  const uint16_t port = Start();
  TestClient client(port);
  client.Send("GET / HTTP/1.1\r\nHost: test\r\nX: " + std::string(40'000, 'x') + "\r\n\r\n");
  EXPECT_EQ(StatusOf(client.ReadAll()), "431");
  TestClient endless(port);
  endless.Send("GET /" + std::string(200'000, 'x'));
  EXPECT_EQ(StatusOf(endless.ReadAll()), "431");
  TestClient large(port);
  EXPECT_EQ(StatusOf(large.Ask("GET / HTTP/1.1\r\nHost: test\r\nX: " + std::string(30'000, 'x') +
                               "\r\n\r\n")),
            "200");
  TestClient chunk(port);
  chunk.Send("POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
             std::string(300'000, 'x'));
  EXPECT_EQ(StatusOf(chunk.ReadAll()).substr(0, 1), "4");
}

struct Bad {
  const char* request;
  const char* status;
};

TEST_F(LimitsTest, RefusesWhatIsNoRequest) {
  const Bad cases[] = {
      {"nonsense\r\n\r\n", "400"},
      {"GET\r\n\r\n", "400"},
      {"\x16\x03\x01\x02\r\n\r\n", "400"},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"},
      {"GET / HTTP/1.1\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400"},
      {"GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"},
      {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
      {"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nabc", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0",
       "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nabc", "501"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\nabc", "501"},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
      {"POST / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 1\r\n\r\n", "417"},
  };
  const uint16_t port = Start();
  for (const Bad& bad : cases) {
    TestClient client(port);
    client.Send(bad.request);
    client.EndSending();
    const std::string answer = client.ReadAll();
    EXPECT_EQ(StatusOf(answer), bad.status) << bad.request;
    EXPECT_NE(answer.find("Connection: close"), std::string::npos) << bad.request;
  }
}

// Requests with bytes changed, left out and put in, and bytes that never were one.
std::string Garbled(std::mt19937* random) {
  const auto below = [random](size_t limit) { return (*random)() % limit; };
  std::string text = below(2) == 0 ? Post("/echo", "some body", "Expect: 100-continue\r\n")
                                   : "PUT /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                                     "chunked\r\nUpgrade: websocket\r\n\r\n4\r\nbody\r\n0\r\n\r\n";
  if (below(10) == 0) text.assign(below(200), '\0');
  for (size_t changes = below(8); changes > 0 && !text.empty(); --changes) {
    const size_t at = below(text.size());
    const char byte = static_cast<char>(below(256));
    switch (below(4)) {
      case 0: text[at] = byte; break;
      case 1: text.erase(at, below(20)); break;
      case 2: text.insert(at, below(30), byte); break;
      default: text.insert(at, "\r\n"); break;
    }
  }
  return text;
}

TEST_F(LimitsTest, SurvivesGarbage) {
  const uint16_t port = Start();
  std::mt19937 random(20261115);
  for (int i = 0; i < 3000; ++i) {
    TestClient client(port);
    client.Send(Garbled(&random));
    client.EndSending();
    const std::string answer = client.ReadAll();
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 ")) << answer;
  }
  TestClient client(port);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

}  // namespace
}  // namespace warden::http
