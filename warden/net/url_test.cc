#include "warden/net/url.h"

#include <gtest/gtest.h>

namespace warden::net {
namespace {

constexpr std::string_view kWeb[] = {"http", "https"};

TEST(UrlTest, ShowsNeitherUserNorPath) {
  EXPECT_EQ(ShownUrl("https://user:word@Example.com:8443/T0/secret?key=1"),
            "https://Example.com:8443");
  EXPECT_EQ(ShownUrl("http://[::1]:80/x"), "http://[::1]:80");
  EXPECT_EQ(ShownUrl("nonsense with blanks"), "a URL");
}

TEST(UrlTest, RefusesOtherSchemesAndWhatIsNoUrl) {
  for (const char* text : {"ftp://host/", "file:///etc/passwd", "host/path", "", "http://",
                           "http://host/a b", "http://host/\r\nX: y"}) {
    const auto url = ParseUrl(text, kWeb);
    ASSERT_FALSE(url.ok()) << text;
    EXPECT_EQ(url.status().code(), Code::kInvalid);
    EXPECT_NE(url.status().message().find("http:// or https://"), std::string::npos);
  }
}

TEST(UrlTest, KnowsThisMachine) {
  for (const char* text : {"http://localhost/", "http://127.0.0.1:1/", "http://[::1]/"}) {
    EXPECT_TRUE(IsLoopback(ParseUrl(text, kWeb).value())) << text;
  }
  for (const char* text : {"http://localhost.example.com/", "http://127.example.com/",
                           "http://127.0.0.1.example.com/"}) {
    EXPECT_FALSE(IsLoopback(ParseUrl(text, kWeb).value())) << text;
  }
}

}  // namespace
}  // namespace warden::net
