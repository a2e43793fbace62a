#include "warden/dashboard/site/session.h"

#include <gtest/gtest.h>

#include "warden/auth/keyring.h"

namespace warden::dashboard {
namespace {

constexpr char kToken[] = "0123456789abcdef0123456789abcdef";

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    auth::Keyring keyring;
    keyring.token = os::Secret(kToken);
    keyring.account = "123456789012";
    authenticator_ = auth::MakeAuthenticator(std::move(keyring));
  }

  Sessions Make(bool secure = false, std::string_view data = "/data") const {
    return Sessions(authenticator_.get(), os::Secret(kToken), secure, data);
  }
  static http::RequestHead Head(const std::string& method, http::Headers headers = {}) {
    http::RequestHead head;
    head.method = method;
    head.path = "/-/api/runs";
    head.headers = std::move(headers);
    return head;
  }
  // Name and value of the cookie that a log-in gives.
  static std::string CookieOf(const Sessions& sessions) {
    const auto answer = sessions.LogIn(Head("POST"), kToken);
    const auto* cookie = std::get_if<std::string>(&answer);
    EXPECT_NE(cookie, nullptr);
    return cookie == nullptr ? "" : cookie->substr(0, cookie->find(';'));
  }
  static bool Lets(const auth::Verdict& verdict) {
    return std::holds_alternative<auth::Identity>(verdict);
  }

  std::unique_ptr<auth::Authenticator> authenticator_;
};

TEST_F(SessionTest, TheTokenGivesACookieThatLetsIn) {
  const Sessions sessions = Make();
  const std::string cookie = CookieOf(sessions);
  EXPECT_TRUE(Lets(sessions.Check(Head("GET", {{"Cookie", "a=b; " + cookie + "; c=d"}}), "")));
  EXPECT_EQ(cookie.find(kToken), std::string::npos);
}

TEST_F(SessionTest, OfARestartedServiceItIsStillGood) {
  EXPECT_TRUE(Lets(Make().Check(Head("GET", {{"Cookie", CookieOf(Make())}}), "")));
}

TEST_F(SessionTest, AWrongTokenOrCookieDoesNot) {
  const Sessions sessions = Make();
  for (const std::string& token :
       {std::string("wrong"), std::string(), std::string(kToken) + "0"}) {
    const auto answer = sessions.LogIn(Head("POST"), token);
    EXPECT_TRUE(std::holds_alternative<auth::Refusal>(answer)) << token;
  }
  const std::string cookie = CookieOf(sessions);
  EXPECT_FALSE(Lets(sessions.Check(Head("GET", {{"Cookie", cookie + "0"}}), "")));
  EXPECT_FALSE(Lets(sessions.Check(Head("GET", {{"Cookie", cookie.substr(0, 20)}}), "")));
  EXPECT_FALSE(Lets(sessions.Check(Head("GET"), "")));
  // Of another service on the same host.
  EXPECT_FALSE(Lets(sessions.Check(Head("GET", {{"Cookie", CookieOf(Make(false, "/x"))}}), "")));
}

TEST_F(SessionTest, AChangeByCookieNeedsTheHeader) {
  const Sessions sessions = Make();
  const std::string cookie = CookieOf(sessions);
  const auth::Verdict without = sessions.Check(Head("POST", {{"Cookie", cookie}}), "{}");
  ASSERT_TRUE(std::holds_alternative<auth::Refusal>(without));
  EXPECT_EQ(std::get<auth::Refusal>(without).code, "MissingHeader");
  EXPECT_TRUE(
      Lets(sessions.Check(Head("POST", {{"Cookie", cookie}, {"X-Warden-Request", "1"}}), "{}")));
}

TEST_F(SessionTest, TheTokenItselfLetsInWithoutACookie) {
  const std::string bearer = std::string("Bearer ") + kToken;
  EXPECT_TRUE(Lets(Make().Check(Head("POST", {{"Authorization", bearer}}), "{}")));
}

TEST_F(SessionTest, TheCookieIsShutAgainstScriptsAndOtherSites) {
  const auto answer = Make(/*secure=*/true).LogIn(Head("POST"), kToken);
  const auto& cookie = std::get<std::string>(answer);
  for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Path=/-/", "; Secure"}) {
    EXPECT_NE(cookie.find(part), std::string::npos) << cookie;
  }
  EXPECT_NE(Make().LogOut().find("; Max-Age=0;"), std::string::npos);
}

}  // namespace
}  // namespace warden::dashboard
