// How bodies travel, in both directions.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "warden/http/client_for_test.h"
#include "warden/http/site_for_test.h"

namespace warden::http {
namespace {

// Takes so many bytes and no more.
class Picky : public Exchange {
 public:
  explicit Picky(size_t limit) : left_(limit) {}
  bool Take(std::string_view piece) override {
    if (piece.size() > left_) return false;
    left_ -= piece.size();
    return left_ > 0;
  }
  Response Answer() override {
    Response response;
    response.status = 413;
    return response;
  }

 private:
  size_t left_;
};

class BodiesTest : public ServerTest {
 protected:
  BodiesTest() {
    site_.Add("/picky", [](const RequestHead&) { return std::make_unique<Picky>(100'000); });
    site_.AddText("/file", [this](const RequestHead& head, const std::string&) {
      Response response;
      response.file.emplace();
      response.file->path = path_;
      response.file->offset = head.query.empty() ? 0 : 7;
      response.file->length = told_;
      return response;
    });
  }
  ~BodiesTest() override { std::filesystem::remove(path_); }

  void WriteFile(size_t size) {
    std::ofstream file(path_, std::ios::binary);
    for (size_t i = 0; i < size; ++i) file.put(static_cast<char>('a' + i % 23));
    told_ = size;
  }

  const std::string path_ = testing::TempDir() + "/body-" + std::to_string(getpid());
  uint64_t told_ = 0;
};

TEST_F(BodiesTest, TakesChunks) {
  TestClient client(Start());
  const std::string head =
      "POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(BodyOf(client.Ask(head + "3\r\none\r\n4;name=value\r\ntwo.\r\n0\r\n\r\n")), "onetwo.");
  // In the smallest steps, with a trailer.
  client.Send(head);
  for (const char c : std::string("5\r\nthree\r\n0\r\nX-End: 1\r\n\r\n")) client.Send({&c, 1});
  EXPECT_EQ(BodyOf(client.ReadAnswer()), "three");
}

TEST_F(BodiesTest, TakesLargeBodiesOfAnyBytes) {
  std::string body;
  for (size_t i = 0; i < 1'000'000; ++i) body += static_cast<char>(i * 7919 >> 3);
  TestClient client(Start());
  EXPECT_EQ(BodyOf(client.Ask(Post("/echo", body))), body);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

TEST_F(BodiesTest, SaysContinueOnlyIfTheBodyIsWanted) {
  TestClient client(Start());
  const std::string expect = "Expect: 100-continue\r\n";
  client.Send(Post("/echo", "", expect));  // Without a body there is nothing to wait for.
  EXPECT_EQ(StatusOf(client.ReadAnswer()), "200");

  std::string request = Post("/echo", "later", expect);
  request.resize(request.size() - 5);
  client.Send(request);
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_TRUE(client.IsQuiet());
  client.Send("later");
  EXPECT_EQ(BodyOf(client.ReadAnswer()), "later");

  request.replace(request.find("/echo"), 5, "/nowhere");
  client.Send(request);
  const std::string answer = client.ReadUntil("\r\n\r\n");
  EXPECT_EQ(StatusOf(answer), "404");
  // Whether the body comes nevertheless, nobody can know.
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  client.EndSending();
  EXPECT_EQ(client.ReadAll(), "");
}

TEST_F(BodiesTest, AnswersEarlyAndClosesIfTooMuchIsLeft) {
  TestClient client(Start());
  client.Send(Post("/picky", std::string(2'000'000, 'x')));
  client.EndSending();
  const std::string answer = client.ReadAll();
  EXPECT_EQ(StatusOf(answer), "413");
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
}

TEST_F(BodiesTest, DropsALittleThatIsNotWantedAndGoesOn) {
  TestClient client(Start());
  const std::string answer = client.Ask(Post("/nowhere", std::string(5000, 'x')));
  EXPECT_EQ(StatusOf(answer), "404");
  EXPECT_NE(answer.find("Connection: keep-alive"), std::string::npos);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

TEST_F(BodiesTest, GathersUpToTheLimit) {
  TestClient client(Start());
  const std::string most(size_t{1} << 20, 'x');
  EXPECT_EQ(BodyOf(client.Ask(Post("/echo", most))), most);
  EXPECT_EQ(StatusOf(client.Ask(Post("/echo", most + "x"))), "413");
}

TEST_F(BodiesTest, SendsFiles) {
  WriteFile(1'000'000);
  TestClient client(Start());
  const std::string whole = BodyOf(client.Ask(Get("/file")));
  ASSERT_EQ(whole.size(), 1'000'000U);
  EXPECT_EQ(whole.substr(0, 3), "abc");
  told_ = 5;
  EXPECT_EQ(BodyOf(client.Ask(Get("/file?part"))), whole.substr(7, 5));
  told_ = 0;
  EXPECT_EQ(BodyOf(client.Ask(Get("/file"))), "");
  told_ = 1'000'000;
  client.Send("HEAD /file HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_NE(client.ReadAnswer(/*has_body=*/false).find("Content-Length: 1000000"),
            std::string::npos);
}

TEST_F(BodiesTest, TellsThatAFileIsNotThereOrTooShort) {
  TestClient client(Start());
  told_ = 3;
  EXPECT_EQ(StatusOf(client.Ask(Get("/file"))), "500");
  WriteFile(10);
  EXPECT_EQ(StatusOf(client.Ask(Get("/file?part"))), "500");
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(StatusOf(client.Ask(Get("/file"))), "500");
}

TEST_F(BodiesTest, AClientThatGoesInTheMiddleHarmsNobody) {
  WriteFile(20'000'000);
  const uint16_t port = Start();
  for (int i = 0; i < 5; ++i) {
    TestClient gone(port);
    gone.Send(Get("/file"));
    EXPECT_EQ(gone.Read(1000).size(), 1000U);
    gone.Abort();
    TestClient half(port);
    half.Send("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\nonly this");
    half.Abort();
  }
  TestClient client(port);
  EXPECT_EQ(BodyOf(client.Ask(Get("/"))), "hello");
}

}  // namespace
}  // namespace warden::http
