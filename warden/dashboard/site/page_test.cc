#include "warden/dashboard/site/page.h"

#include <gtest/gtest.h>

namespace warden::dashboard {
namespace {

http::RequestHead Get(const std::string& path, http::Headers headers = {}) {
  http::RequestHead head;
  head.method = "GET";
  head.path = path;
  head.headers = std::move(headers);
  return head;
}

std::string HeaderOf(const http::Response& response, const std::string& name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

TEST(PageTest, HasThreeFilesAndNoMore) {
  for (const char* path : {"/-/", "/-/app.js", "/-/app.css"}) {
    const auto response = PageFile(Get(path));
    ASSERT_TRUE(response) << path;
    EXPECT_EQ(response->status, 200);
    EXPECT_FALSE(response->body.empty());
  }
  for (const char* path : {"/-", "/-/app.js/", "/-/../app.js", "/-/index.html", "/"}) {
    EXPECT_FALSE(PageFile(Get(path))) << path;
  }
}

TEST(PageTest, NothingFromElsewhereIsAllowed) {
  const std::string policy = HeaderOf(*PageFile(Get("/-/")), "Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(policy.find("http"), std::string::npos);
  // What the page itself refers to is its own.
  const std::string page = PageFile(Get("/-/"))->body;
  EXPECT_EQ(page.find("http"), std::string::npos) << page;
}

TEST(PageTest, IsPackedForThoseWhoTakeIt) {
  const auto plain = PageFile(Get("/-/app.js"));
  const auto packed = PageFile(Get("/-/app.js", {{"Accept-Encoding", "br, GZIP"}}));
  EXPECT_EQ(HeaderOf(*plain, "Content-Encoding"), "");
  EXPECT_EQ(HeaderOf(*packed, "Content-Encoding"), "gzip");
  EXPECT_LT(packed->body.size(), plain->body.size() / 2);
  EXPECT_LT(packed->body.size(), 500u * 1024);
}

TEST(PageTest, IsNotSentAgainToThoseWhoHaveIt) {
  const std::string tag = HeaderOf(*PageFile(Get("/-/app.js")), "ETag");
  const auto again = PageFile(Get("/-/app.js", {{"If-None-Match", tag}}));
  EXPECT_EQ(again->status, 304);
  EXPECT_TRUE(again->body.empty());
}

TEST(PageTest, TakesGetAndHeadAlone) {
  http::RequestHead head = Get("/-/");
  head.method = "HEAD";
  EXPECT_EQ(PageFile(head)->told_length, PageFile(Get("/-/"))->body.size());
  head.method = "POST";
  EXPECT_EQ(PageFile(head)->status, 405);
}

}  // namespace
}  // namespace warden::dashboard
