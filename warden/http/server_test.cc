#include "warden/http/server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "warden/http/client_for_test.h"
#include "warden/http/listen.h"
#include "warden/http/site_for_test.h"
#include "warden/os/few_files_for_test.h"
#include "warden/os/open_files.h"

namespace warden::http {
namespace {

TEST_F(ServerTest, AnswersAndKeepsTheConnection) {
  TestClient client(Start());
  for (int i = 0; i < 3; ++i) {
    const std::string answer = client.Ask(Get("/"));
    EXPECT_EQ(StatusOf(answer), "200");
    EXPECT_EQ(BodyOf(answer), "hello");
    EXPECT_NE(answer.find("\r\nServer: tensorwarden\r\n"), std::string::npos) << answer;
    EXPECT_NE(answer.find("\r\nDate: "), std::string::npos);
    EXPECT_NE(answer.find("\r\nConnection: keep-alive\r\n"), std::string::npos);
  }
  EXPECT_EQ(server_->address(), "http://127.0.0.1:" + std::to_string(server_->port()));
}

TEST(ListenTest, WaitsForAnAddressThatIsAboutToBeFree) {
  const auto before = Listen("127.0.0.1:0");
  ASSERT_TRUE(before.ok());
  const std::string address = "127.0.0.1:" + std::to_string(before.value().port);
  std::thread holder([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    close(before.value().socket);
  });
  const auto after = Listen(address);
  holder.join();
  ASSERT_TRUE(after.ok()) << after.status().message();
  EXPECT_EQ(after.value().port, before.value().port);
  close(after.value().socket);
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  TestClient client(Start());
  client.Send(Post("/echo", "one") + Post("/echo", "two") + Get("/") + Post("/echo", "three"));
  for (const char* expected : {"one", "two", "hello", "three"}) {
    EXPECT_EQ(BodyOf(client.ReadAnswer()), expected);
  }
}

TEST_F(ServerTest, ClosesWhenAsked) {
  TestClient client(Start());
  client.Send("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  const std::string answer = client.ReadAll();
  EXPECT_EQ(BodyOf(answer), "hello");
  EXPECT_NE(answer.find("\r\nConnection: close\r\n"), std::string::npos);

  TestClient old(server_->port());
  old.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(BodyOf(old.ReadAll()), "hello");
}

TEST_F(ServerTest, TellsTheHandlerWhatWasSent) {
  site_.AddText("/a%20b", [](const RequestHead& head, const std::string&) {
    std::string text = head.method + " " + head.path + " " + head.query + " " + head.peer;
    for (const auto& [name, value] : head.headers) text += "\n" + name + "=" + value;
    EXPECT_EQ(head.id.size(), 36U);
    EXPECT_EQ(head.Header("x-tHING"), "1, 2");
    EXPECT_EQ(head.Header("other"), "");
    return Text(text);
  });
  TestClient client(Start());
  const std::string expected = "PUT /a%20b x=%2F&y 127.0.0.1\nHost=test\nX-Thing=1, 2";
  EXPECT_EQ(
      BodyOf(client.Ask("PUT /a%20b?x=%2F&y HTTP/1.1\r\nHost: test\r\nX-Thing:  1, 2 \r\n\r\n")),
      expected);
  EXPECT_EQ(BodyOf(client.Ask("PUT http://test/a%20b?x=%2F&y HTTP/1.1\r\nHost: test\r\n"
                              "X-Thing: 1, 2\r\n\r\n")),
            expected);
}

TEST_F(ServerTest, AnswersHeadWithoutABody) {
  site_.AddText("/length", [](const RequestHead&, const std::string&) {
    Response response;
    response.told_length = 12345;
    return response;
  });
  TestClient client(Start());
  client.Send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_NE(client.ReadAnswer(/*has_body=*/false).find("Content-Length: 5\r\n"), std::string::npos);
  client.Send("HEAD /length HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_NE(client.ReadAnswer(/*has_body=*/false).find("Content-Length: 12345\r\n"),
            std::string::npos);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

TEST_F(ServerTest, SendsNoBodyWithAStatusThatHasNone) {
  site_.AddText("/none", [](const RequestHead&, const std::string&) {
    Response response = Text("not to be seen");
    response.status = 204;
    return response;
  });
  TestClient client(Start());
  EXPECT_EQ(client.Ask(Get("/none")).find("Content-Length"), std::string::npos);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

TEST_F(ServerTest, NeverSendsHeadersThatHoldLines) {
  site_.AddText("/", [](const RequestHead&, const std::string&) {
    Response response = Text("x");
    response.headers = {{"Good", "a\r\nEvil: 1\r\n\r\nbody"},
                        {"Bad\r\nEvil", "2"},
                        {"Content-Length", "99"},
                        {"", "3"}};
    return response;
  });
  TestClient client(Start());
  const std::string answer = client.Ask(Get("/"));
  EXPECT_NE(answer.find("\r\nGood: a  Evil: 1    body\r\n"), std::string::npos) << answer;
  EXPECT_EQ(answer.find("\nEvil"), std::string::npos);
  EXPECT_NE(answer.find("Content-Length: 1\r\n"), std::string::npos);
  EXPECT_EQ(answer.find("99"), std::string::npos);
}

TEST_F(ServerTest, AnswersAClientThatHasEndedItsSide) {
  TestClient client(Start());
  client.Send(Post("/echo", "last words"));
  client.EndSending();
  EXPECT_EQ(BodyOf(client.ReadAll()), "last words");
}

TEST_F(ServerTest, SurvivesAHandlerThatThrows) {
  site_.Add("/begin",
            [](const RequestHead&) -> std::unique_ptr<Exchange> { throw std::bad_alloc(); });
  site_.AddText("/answer", [](const RequestHead&, const std::string&) -> Response {
    throw std::runtime_error("no");
  });
  TestClient client(Start());
  EXPECT_EQ(StatusOf(client.Ask(Get("/begin"))), "500");
  EXPECT_EQ(StatusOf(client.Ask(Get("/answer"))), "500");
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

TEST_F(ServerTest, ServesManyAtOnce) {
  const uint16_t port = Start();
  std::vector<TestClient> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(port);
  for (size_t i = 0; i < clients.size(); ++i) {
    ASSERT_TRUE(clients[i].Send(Post("/echo", std::to_string(i))));
  }
  for (size_t i = 0; i < clients.size(); ++i) {
    EXPECT_EQ(BodyOf(clients[i].ReadAnswer()), std::to_string(i));
  }
}

// A client whose request is under way: its body is not complete.
void BeBusy(TestClient* client) {
  client->Send(
      "POST /echo HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n"
      "Content-Length: 10\r\n\r\n");
  EXPECT_EQ(StatusOf(client->ReadUntil("\r\n\r\n")), "100");
}

TEST_F(ServerTest, RefusesTooMany) {
  options_.max_connections = 2;
  const uint16_t port = Start();
  TestClient first(port), second(port);
  BeBusy(&first);
  BeBusy(&second);
  EXPECT_EQ(StatusOf(TestClient(port).ReadAll()), "503");
  first.Close();
  // As soon as it is noticed.
  std::string status = "503";
  for (int i = 0; i < 1000 && status != "200"; ++i)
    status = StatusOf(TestClient(port).Ask(Get("/")));
  EXPECT_EQ(status, "200");
}

TEST_F(ServerTest, ClosesTheIdlestForNewOnes) {
  options_.max_connections = 3;
  const uint16_t port = Start();
  TestClient busy(port), silent(port), idle(port);
  BeBusy(&busy);
  EXPECT_EQ(StatusOf(idle.Ask(Get("/"))), "200");
  TestClient fresh(port);
  EXPECT_EQ(StatusOf(fresh.Ask(Get("/"))), "200");
  EXPECT_EQ(silent.ReadAll(), "") << "has waited for longest";
  EXPECT_EQ(StatusOf(idle.Ask(Get("/"))), "200");
  EXPECT_EQ(StatusOf(TestClient(port).Ask(Get("/"))), "200");
  busy.Send("0123456789");
  EXPECT_EQ(BodyOf(busy.ReadAnswer()), "0123456789") << "whoever has sent a request is answered";
}

TEST_F(ServerTest, ABurstOfStrangersKeepsNobodyOut) {
  options_.max_connections = 2;
  const uint16_t port = Start();
  std::vector<TestClient> strangers;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 100; ++i) strangers.emplace_back(port);
    EXPECT_EQ(StatusOf(TestClient(port).Ask(Get("/"))), "200") << round;
    strangers.clear();
  }
}

TEST_F(ServerTest, LeavesDescriptorsForOthers) {
  const size_t limit = os::OpenFilesLimit();
  ASSERT_GT(limit, 100U);
  options_.reserved_files = limit - 40;
  const uint16_t port = Start();
  std::vector<TestClient> strangers;
  for (int i = 0; i < 60; ++i) {
    strangers.emplace_back(port);
    EXPECT_EQ(StatusOf(strangers.back().Ask(Get("/"))), "200") << i;
  }
  EXPECT_EQ(strangers[30].ReadAll(), "") << "20 of them are kept, with a file each";
}

TEST_F(ServerTest, TriesAgainWhenThereWasNoDescriptor) {
  const uint16_t port = Start();
  os::LogPipe log;
  os::FewFiles few(1);
  TestClient client(port);  // Has the last one.
  ASSERT_TRUE(client.is_connected());
  ASSERT_TRUE(log.Await("cannot accept a connection: Too many open files"));
  few.End();
  EXPECT_EQ(StatusOf(client.Ask(Get("/"))), "200");
}

TEST_F(ServerTest, ClosesTheIdlestWhenThereIsNoDescriptor) {
  const uint16_t port = Start();
  TestClient idle(port);
  EXPECT_EQ(StatusOf(idle.Ask(Get("/"))), "200");
  const os::FewFiles few(1);
  TestClient client(port);
  EXPECT_EQ(StatusOf(client.Ask(Get("/"))), "200");
  EXPECT_EQ(idle.ReadAll(), "");
}

TEST_F(ServerTest, RefusesAddressesThatAreNone) {
  for (const char* listen : {"", "8080", "127.0.0.1", "127.0.0.1:65536", "example.org:80",
                             "[::1:80", "127.0.0.1:http"}) {
    options_.listen = listen;
    const auto server = Server::Start(options_, &site_);
    ASSERT_FALSE(server.ok()) << listen;
    EXPECT_EQ(server.status().code(), Code::kInvalid);
  }
  options_.listen = "127.0.0.1:0";
  options_.listen = "127.0.0.1:" + std::to_string(Start());
  EXPECT_EQ(Server::Start(options_, &site_).status().code(), Code::kIo);
}

TEST_F(ServerTest, SaysLoudlyThatOthersCanListenIn) {
  testing::internal::CaptureStderr();
  Start();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  options_.listen = "0.0.0.0:0";
  testing::internal::CaptureStderr();
  TestClient client(Start());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("without encryption"), std::string::npos);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

TEST_F(ServerTest, StopLetsRunningExchangesEnd) {
  Signal begun, go_on;
  site_.AddText("/slow", [&](const RequestHead&, const std::string&) {
    begun.Give();
    go_on.Await();
    return Text("done");
  });
  const uint16_t port = Start();
  TestClient idle(port), busy(port);
  EXPECT_EQ(StatusOf(idle.Ask(Get("/"))), "200");
  busy.Send(Get("/slow"));
  ASSERT_TRUE(begun.Await());
  std::thread stopper([this] { server_->Stop(); });
  EXPECT_EQ(idle.ReadAll(), "");  // Closed at once.
  go_on.Give();
  const std::string answer = busy.ReadAll();
  EXPECT_EQ(BodyOf(answer), "done");
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  stopper.join();
  EXPECT_FALSE(TestClient(port).is_connected());
}

TEST_F(ServerTest, StopEndsThoseWhoNeverEnd) {
  options_.stop_time = std::chrono::milliseconds(100);
  TestClient client(Start());
  client.Send(
      "POST /echo HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n");
  EXPECT_EQ(StatusOf(client.ReadUntil("\r\n\r\n")), "100");
  server_->Stop();
  EXPECT_EQ(client.ReadAll(), "");
}

}  // namespace
}  // namespace warden::http
