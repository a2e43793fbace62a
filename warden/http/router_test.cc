#include "warden/http/router.h"

#include <gtest/gtest.h>

namespace warden::http {
namespace {

class Named : public Handler {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  std::unique_ptr<Exchange> Begin(const RequestHead&) override {
    Response response;
    response.body = name_;
    return AnswerAtOnce(std::move(response));
  }

 private:
  const std::string name_;
};

std::string Asked(Handler* handler, RequestHead head) {
  return handler->Begin(head)->Answer().body;
}

TEST(RouterTest, HandsRequestsToWhoseTheyAre) {
  Named api("api"), exec("exec"), s3("s3");
  const auto router =
      MakeRouter({.routes = {{&IsApiCall, &api}, {ForPath("/-/exec"), &exec}}, .fallback = &s3});
  const Headers json = {{"x-amz-target", "SageMaker.ListTrainingJobs"}};
  const Headers form = {{"Content-Type", "Application/X-www-form-urlencoded; charset=utf-8"}};
  const auto head = [](std::string method, std::string path, Headers headers) {
    RequestHead made;
    made.method = std::move(method);
    made.path = std::move(path);
    made.headers = std::move(headers);
    return made;
  };
  EXPECT_EQ(Asked(router.get(), head("POST", "/", json)), "api");
  EXPECT_EQ(Asked(router.get(), head("POST", "/", form)), "api");
  EXPECT_EQ(Asked(router.get(), head("POST", "/", {})), "api");
  EXPECT_EQ(Asked(router.get(), head("GET", "/", json)), "s3");
  EXPECT_EQ(Asked(router.get(), head("POST", "/bucket", form)), "s3");
  EXPECT_EQ(Asked(router.get(), head("GET", "/-/exec", {})), "exec");
  EXPECT_EQ(Asked(router.get(), head("GET", "/-/execute", {})), "s3");
}

TEST(RouterTest, AnswersThatNothingIsThere) {
  RequestHead head;
  EXPECT_EQ(MakeRouter({})->Begin(head)->Answer().status, 404);
}

}  // namespace
}  // namespace warden::http
