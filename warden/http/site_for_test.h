#ifndef WARDEN_HTTP_SITE_FOR_TEST_H_
#define WARDEN_HTTP_SITE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "warden/http/message.h"
#include "warden/http/server.h"

namespace warden::http {

// A handler whose addresses are functions: each gets the head and makes the exchange.
class Site : public Handler {
 public:
  using Page = std::function<std::unique_ptr<Exchange>(const RequestHead&)>;

  Site& Add(const std::string& path, Page page) {
    pages_[path] = std::move(page);
    return *this;
  }
  // Answers with what it is told, once the body is there.
  Site& AddText(const std::string& path,
                std::function<Response(const RequestHead&, std::string)> answer) {
    return Add(path, [answer](const RequestHead& head) {
      Response too_large;
      too_large.status = 413;
      return GatherBody(size_t{1} << 20, std::move(too_large),
                        [head, answer](std::string body) { return answer(head, body); });
    });
  }

  std::unique_ptr<Exchange> Begin(const RequestHead& head) override {
    const auto page = pages_.find(head.path);
    if (page != pages_.end()) return page->second(head);
    Response response;
    response.status = 404;
    return AnswerAtOnce(std::move(response));
  }

 private:
  std::map<std::string, Page> pages_;
};

inline Response Text(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

// A site that says "hello" at /, and sends bodies back at /echo.
class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    site_.AddText("/", [](const RequestHead&, const std::string&) { return Text("hello"); });
    site_.AddText("/echo", [](const RequestHead&, std::string body) { return Text(body); });
    options_.listen = "127.0.0.1:0";
    options_.threads = 2;
    options_.stop_time = std::chrono::seconds(5);
  }
  ~ServerTest() override { server_.reset(); }

  uint16_t Start() {
    auto server = Server::Start(options_, &site_);
    EXPECT_TRUE(server.ok()) << server.status().message();
    if (!server.ok()) return 0;
    server_ = std::move(server).value();
    return server_->port();
  }

  Site site_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

// Something that one thread waits for and another does.
class Signal {
 public:
  void Give() {
    const std::lock_guard lock(mutex_);
    is_given_ = true;
    given_.notify_all();
  }
  // False if it does not come for a long time.
  bool Await() {
    std::unique_lock lock(mutex_);
    return given_.wait_for(lock, std::chrono::seconds(20), [this] { return is_given_; });
  }
  bool is_given() {
    const std::lock_guard lock(mutex_);
    return is_given_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable given_;
  bool is_given_ = false;
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_SITE_FOR_TEST_H_
