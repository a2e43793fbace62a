#include "warden/s3/page_policy.h"

#include "warden/s3/s3_for_test.h"

namespace warden::s3 {
namespace {

class PagePolicyTest : public S3Test {
 protected:
  PagePolicyTest() { Send("PUT", "/bucket"); }

  // Of a name in any case, since clients' and our own are mixed.
  static std::string HeaderOf(const Answer& answer, std::string_view name) {
    http::RequestHead head;
    head.headers = answer.headers;
    return std::string(head.Header(name));
  }
  // What an object of that type is answered as.
  std::string DispositionOf(const std::string& type, const std::string& disposition = "") {
    http::Headers headers = {{"Content-Type", type}};
    if (!disposition.empty()) headers.emplace_back("Content-Disposition", disposition);
    Send("PUT", "/bucket/page", "<script>steal()</script>", headers);
    return HeaderOf(Send("GET", "/bucket/page"), "content-disposition");
  }
};

TEST_F(PagePolicyTest, NoObjectHasTheOriginOfTheDashboard) {
  Send("PUT", "/bucket/page", "<script>steal()</script>", {{"Content-Type", "text/html"}});
  for (const char* target : {"/bucket/page", "/bucket/none"}) {
    for (const char* method : {"GET", "HEAD"}) {
      const Answer answer = Send(method, target);
      EXPECT_EQ(HeaderOf(answer, "content-security-policy"), "sandbox; default-src 'none'");
      EXPECT_EQ(HeaderOf(answer, "x-content-type-options"), "nosniff") << method << target;
    }
  }
  const Answer range = Send("GET", "/bucket/page", "", {{"Range", "bytes=0-3"}});
  EXPECT_EQ(HeaderOf(range, "content-security-policy"), "sandbox; default-src 'none'");
  EXPECT_EQ(HeaderOf(range, "content-disposition"), "attachment");
}

TEST_F(PagePolicyTest, DocumentsWithScriptsAreDownloads) {
  for (const char* type :
       {"text/html", "Text/HTML; charset=utf-8", "image/svg+xml", "application/xhtml+xml",
        "text/xml", "application/xml", "application/rss+xml", "text/xsl", "nonsense",
        "text/plain, text/html", "multipart/x-mixed-replace; boundary=x"}) {
    EXPECT_EQ(DispositionOf(type), "attachment") << type;
  }
  EXPECT_EQ(DispositionOf("text/html", "inline; filename=\"a.html\""),
            "attachment; filename=\"a.html\"");
  for (const char* type : {"text/plain", "application/json", "image/png", "video/mp4"}) {
    EXPECT_EQ(DispositionOf(type), "") << type;
    EXPECT_EQ(DispositionOf(type, "inline; filename=a"), "inline; filename=a") << type;
  }
}

TEST_F(PagePolicyTest, WhatALinkAsksForCannotLiftIt) {
  Send("PUT", "/bucket/page", "<script>steal()</script>", {{"Content-Type", "text/plain"}});
  const Answer answer = Send(
      "GET", "/bucket/page?response-content-type=text/html&response-content-disposition=inline");
  EXPECT_EQ(HeaderOf(answer, "content-type"), "text/html");
  EXPECT_EQ(HeaderOf(answer, "content-disposition"), "attachment");
  EXPECT_EQ(HeaderOf(answer, "content-security-policy"), "sandbox; default-src 'none'");
}

TEST_F(PagePolicyTest, AnswersAreAsTheLinkAsks) {
  Send("PUT", "/bucket/page", "x", {{"Content-Type", "text/plain"}});
  const Answer answer = Send("GET",
                             "/bucket/page?response-content-type=text/csv&response-cache-control="
                             "no-store&response-content-language=de&response-content-encoding="
                             "identity&response-content-disposition=attachment%3B%20filename%3Da");
  EXPECT_EQ(HeaderOf(answer, "content-type"), "text/csv");
  EXPECT_EQ(HeaderOf(answer, "cache-control"), "no-store");
  EXPECT_EQ(HeaderOf(answer, "content-language"), "de");
  EXPECT_EQ(HeaderOf(answer, "content-encoding"), "identity");
  EXPECT_EQ(HeaderOf(answer, "content-disposition"), "attachment; filename=a");
}

}  // namespace
}  // namespace warden::s3
