#include "warden/dashboard/site/session.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "warden/auth/keyring.h"
#include "warden/auth/viewers_file.h"
#include "warden/dashboard/site/known_host.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::dashboard {
namespace {

constexpr char kToken[] = "0123456789abcdef0123456789abcdef";
using std::chrono::hours;

// Whose keys can be replaced.
class Replaceable : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead& head, std::string_view hash) const override {
    return keyring->Check(head, hash);
  }
  std::optional<auth::Refusal> CheckHead(const http::RequestHead& head) const override {
    return keyring->CheckHead(head);
  }
  void Record(const auth::Identity& identity, const auth::Deed& deed) const override {
    deeds.push_back(identity.access_key + " " + deed.action + " " + deed.resource + " " +
                    deed.outcome);
  }
  std::optional<auth::Identity> ViewerWith(std::string_view token) const override {
    return keyring->ViewerWith(token);
  }
  std::optional<auth::Identity> ViewerOf(std::string_view id) const override {
    return keyring->ViewerOf(id);
  }
  std::unique_ptr<auth::Authenticator> keyring;
  mutable std::vector<std::string> deeds;
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    auth::Keyring keyring;
    keyring.token = os::Secret(kToken);
    keyring.account = "123456789012";
    authenticator_->keyring = auth::MakeAuthenticator(std::move(keyring));
    rules_.now = [this] { return now_; };
  }

  Sessions Make(const std::string& token = kToken) const {
    return Sessions(authenticator_.get(), os::Secret(token), rules_);
  }
  static http::RequestHead Head(const std::string& method, http::Headers headers = {}) {
    http::RequestHead head;
    head.method = method;
    head.path = "/-/api/runs";
    head.headers = std::move(headers);
    head.peer = "127.0.0.1";
    return head;
  }
  static http::RequestHead WithKey(const std::string& method, const std::string& key) {
    return Head(method, {{"X-Warden-Session", key}});
  }
  // The key that a sign-in gives.
  static std::string KeyOf(const Sessions& sessions) {
    const auto answer = sessions.LogIn(Head("POST"), kToken);
    const auto* key = std::get_if<std::string>(&answer);
    EXPECT_NE(key, nullptr);
    return key == nullptr ? "" : *key;
  }
  static bool Lets(const Sessions& sessions, const http::RequestHead& head) {
    return std::holds_alternative<auth::Identity>(sessions.Check(head, ""));
  }
  static std::string CodeOf(const std::variant<std::string, auth::Refusal>& answer) {
    const auto* refusal = std::get_if<auth::Refusal>(&answer);
    return refusal == nullptr ? "" : refusal->code;
  }

  os::TempFolder folder_;
  std::chrono::system_clock::time_point now_{hours(500'000)};
  SessionRules rules_;
  std::unique_ptr<Replaceable> authenticator_ = std::make_unique<Replaceable>();
};

TEST_F(SessionTest, TheTokenGivesAKeyThatLetsIn) {
  const Sessions sessions = Make();
  const std::string key = KeyOf(sessions);
  EXPECT_TRUE(Lets(sessions, WithKey("GET", key)));
  EXPECT_TRUE(Lets(sessions, WithKey("POST", key)));
  EXPECT_EQ(key.find(kToken), std::string::npos);
  EXPECT_NE(key, KeyOf(sessions)) << "each sign-in has its own";
}

TEST_F(SessionTest, WhatBrowsersSendToEveryPortLetsNobodyIn) {
  const Sessions sessions = Make();
  const std::string key = KeyOf(sessions);
  for (const char* name : {"warden", "X-Warden-Session", "session", "token"}) {
    const std::string cookie = std::string(name) + "=" + key;
    EXPECT_FALSE(Lets(sessions, Head("GET", {{"Cookie", cookie}}))) << name;
  }
}

TEST_F(SessionTest, AWrongTokenOrKeyDoesNot) {
  const Sessions sessions = Make();
  for (const std::string& token :
       {std::string("wrong"), std::string(), std::string(kToken) + "0"}) {
    EXPECT_EQ(CodeOf(sessions.LogIn(Head("POST"), token)), "UnrecognizedClientException") << token;
  }
  const std::string key = KeyOf(sessions);
  for (const std::string& wrong :
       {key + "0", key.substr(0, 20), key.substr(0, 16), key.substr(0, 17), std::string("."),
        std::string(kToken), key.substr(0, 17) + std::string(64, '0')}) {
    EXPECT_FALSE(Lets(sessions, WithKey("GET", wrong))) << wrong;
  }
  EXPECT_FALSE(Lets(sessions, Head("GET")));
  EXPECT_FALSE(Lets(Make(), WithKey("GET", key))) << "of another service";
  const Sessions none = Make("");
  EXPECT_FALSE(Lets(none, WithKey("GET", key)));
  EXPECT_NE(CodeOf(none.LogIn(Head("POST"), "")), "");
}

TEST_F(SessionTest, TheHeadAloneShowsThatThereIsNoKey) {
  const Sessions sessions = Make();
  const std::string key = KeyOf(sessions), bearer = "Bearer ";
  EXPECT_FALSE(sessions.CheckHead(WithKey("POST", key)));
  EXPECT_FALSE(sessions.CheckHead(Head("POST", {{"Authorization", bearer + kToken}})));
  EXPECT_TRUE(sessions.CheckHead(Head("POST")));
  EXPECT_TRUE(sessions.CheckHead(WithKey("POST", key + "0")));
  for (const char* wrong : {"wrong", "view-0123456789ab-0123"}) {
    EXPECT_TRUE(sessions.CheckHead(Head("POST", {{"Authorization", bearer + wrong}}))) << wrong;
  }
  http::RequestHead link = Head("GET");
  link.query = "ticket=" + sessions.TicketFor(WithKey("POST", key), link.path);
  EXPECT_FALSE(sessions.CheckHead(link));
  sessions.LogOut(WithKey("DELETE", key));
  EXPECT_TRUE(sessions.CheckHead(WithKey("POST", key)));
  EXPECT_TRUE(sessions.CheckHead(link));
}

TEST_F(SessionTest, SignInsAreRecorded) {
  const Sessions sessions = Make();
  sessions.LogIn(Head("POST"), "wrong");
  sessions.LogIn(Head("POST"), kToken);
  EXPECT_EQ(authenticator_->deeds, std::vector<std::string>{"token dashboard:SignIn 127.0.0.1 ok"});
}

TEST_F(SessionTest, SigningOutEndsItForAllWhoHaveTheKey) {
  const Sessions sessions = Make();
  const std::string mine = KeyOf(sessions), other = KeyOf(sessions);
  const std::string ticket = sessions.TicketFor(WithKey("POST", mine), "/-/api/runs");
  sessions.LogOut(WithKey("DELETE", mine));
  EXPECT_FALSE(Lets(sessions, WithKey("GET", mine)));
  http::RequestHead link = Head("GET");
  link.query = "ticket=" + ticket;
  EXPECT_FALSE(Lets(sessions, link));
  EXPECT_TRUE(Lets(sessions, WithKey("GET", other)));
  sessions.LogOut(Head("DELETE"));
  EXPECT_TRUE(Lets(sessions, WithKey("GET", other)));
}

TEST_F(SessionTest, EndsUnusedAndInAnyCase) {
  const Sessions sessions = Make();
  const std::string unused = KeyOf(sessions), used = KeyOf(sessions);
  for (int days = 0; days < 6; ++days) {
    now_ += hours(24);
    EXPECT_TRUE(Lets(sessions, WithKey("GET", used)));
  }
  now_ += hours(24);
  EXPECT_FALSE(Lets(sessions, WithKey("GET", unused)));
  for (int days = 7; days < 29; ++days) {
    EXPECT_TRUE(Lets(sessions, WithKey("GET", used))) << days;
    now_ += hours(24);
  }
  now_ += hours(24);
  EXPECT_FALSE(Lets(sessions, WithKey("GET", used)));
}

TEST_F(SessionTest, OutlivesARestartButNotTheToken) {
  rules_.file = (folder_.path() / "sessions.json").native();
  std::string key, ended;
  {
    const Sessions sessions = Make();
    key = KeyOf(sessions);
    ended = KeyOf(sessions);
    sessions.LogOut(WithKey("DELETE", ended));
  }
  EXPECT_TRUE(Lets(Make(), WithKey("GET", key)));
  EXPECT_FALSE(Lets(Make(), WithKey("GET", ended))) << "a restart brings nothing back";
  struct stat info;
  ASSERT_EQ(stat(rules_.file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  std::stringstream text;
  text << std::ifstream(rules_.file).rdbuf();
  EXPECT_EQ(text.str().find(key.substr(17)), std::string::npos) << "what is kept opens nothing";
  EXPECT_EQ(text.str().find(kToken), std::string::npos);
  // The token was replaced while the service was down.
  const std::string fresh = "another token of 32 characters!!";
  auth::Keyring keyring;
  keyring.token = os::Secret(fresh);
  authenticator_->keyring = auth::MakeAuthenticator(std::move(keyring));
  EXPECT_FALSE(Lets(Make(fresh), WithKey("GET", key)));
}

TEST_F(SessionTest, ATokenThatWasReplacedSignsEverybodyOut) {
  const Sessions sessions = Make();
  const std::string key = KeyOf(sessions);
  const std::string fresh(32, 'f');
  auth::Keyring keyring;
  keyring.token = os::Secret(fresh);
  authenticator_->keyring = auth::MakeAuthenticator(std::move(keyring));
  EXPECT_FALSE(Lets(sessions, WithKey("GET", key)));
  EXPECT_NE(CodeOf(sessions.LogIn(Head("POST"), kToken)), "");
  const auto answer = sessions.LogIn(Head("POST"), fresh);
  ASSERT_EQ(CodeOf(answer), "");
  EXPECT_TRUE(Lets(sessions, WithKey("GET", std::get<std::string>(answer))));
  EXPECT_FALSE(Lets(sessions, WithKey("GET", key)));
}

TEST_F(SessionTest, AFileThatIsNotOursIsIgnored) {
  rules_.file = (folder_.path() / "sessions.json").native();
  const std::string key = KeyOf(Make());
  chmod(rules_.file.c_str(), 0644);
  EXPECT_FALSE(Lets(Make(), WithKey("GET", key))) << "others could have put it there";
  for (const char* text :
       {"", "[]", "{\"sessions\": [{\"id\": 1, \"digest\": []}]}", "{\"owner\": \"x\"}"}) {
    std::ofstream(rules_.file) << text;
    chmod(rules_.file.c_str(), 0600);
    EXPECT_NE(KeyOf(Make()), "") << text;
  }
}

TEST_F(SessionTest, ThereAreNotMoreThanSoMany) {
  rules_.most = 2;
  const Sessions sessions = Make();
  const std::string first = KeyOf(sessions);
  now_ += hours(1);
  const std::string second = KeyOf(sessions);
  now_ += hours(1);
  EXPECT_TRUE(Lets(sessions, WithKey("GET", first)));
  now_ += hours(1);
  KeyOf(sessions);
  EXPECT_TRUE(Lets(sessions, WithKey("GET", first)));
  EXPECT_FALSE(Lets(sessions, WithKey("GET", second)));
}

TEST_F(SessionTest, ATicketOpensOnePathForReading) {
  const Sessions sessions = Make();
  const std::string key = KeyOf(sessions);
  http::RequestHead link = Head("GET");
  link.path = "/-/api/runs/a%20b/reports/x.html";
  link.query = "download=1&ticket=" +
               sessions.TicketFor(WithKey("POST", key), "/-/api/runs/a%20b/reports/x.html");
  EXPECT_TRUE(Lets(sessions, link));
  link.method = "POST";
  EXPECT_FALSE(Lets(sessions, link));
  link.method = "GET";
  link.path = "/-/api/runs/a%20b/reports/y.html";
  EXPECT_FALSE(Lets(sessions, link));
  link.path = "/-/api/runs/a%20b/reports/x.html";
  link.query += "0";
  EXPECT_FALSE(Lets(sessions, link));
  EXPECT_EQ(sessions.TicketFor(Head("POST"), "/-/api/runs"), "");
}

TEST_F(SessionTest, GuessingIsSlow) {
  const Sessions sessions = Make();
  int refused = 0, throttled = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string code = CodeOf(sessions.LogIn(Head("POST"), "wrong"));
    refused += code == "UnrecognizedClientException" ? 1 : 0;
    throttled += code == "ThrottlingException" ? 1 : 0;
  }
  EXPECT_LE(refused, 20);
  EXPECT_EQ(refused + throttled, 3000);
  EXPECT_EQ(CodeOf(sessions.LogIn(Head("POST"), kToken)), "ThrottlingException");
  http::RequestHead elsewhere = Head("POST");
  elsewhere.peer = "192.0.2.1";
  EXPECT_EQ(CodeOf(sessions.LogIn(elsewhere, kToken)), "");
}

TEST(SignInLimitTest, ForgivesWithTime) {
  SignInLimit::Clock::time_point now{std::chrono::hours(1)};
  SignInLimit limit([&now] { return now; });
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(limit.WaitOf("a").count(), 0) << i;
    limit.Failed("a");
  }
  EXPECT_EQ(limit.WaitOf("a").count(), 2);
  EXPECT_EQ(limit.WaitOf("b").count(), 0);
  now += std::chrono::seconds(2);
  EXPECT_EQ(limit.WaitOf("a").count(), 0);
  limit.Failed("a");
  EXPECT_GT(limit.WaitOf("a").count(), 0);
  now += std::chrono::seconds(30);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(limit.WaitOf("a").count(), 0) << i;
    limit.Failed("a");
  }
}

TEST_F(SessionTest, TheTokenItselfLetsInWithoutASession) {
  const std::string bearer = std::string("Bearer ") + kToken;
  EXPECT_TRUE(Lets(Make(), Head("POST", {{"Authorization", bearer}})));
}

TEST(KnownHostTest, TellsOursFromOthers) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "[::1]", "localhost:1",
                           "LocalHost", "a.localhost:8080", "192.168.1.7:80", "localhost."}) {
    EXPECT_TRUE(IsKnownHost(host, {})) << host;
  }
  for (const char* host : {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "",
                           "localhost.evil.example", ":8080", "notlocalhost", "[::1", "::1"}) {
    EXPECT_FALSE(IsKnownHost(host, {})) << host;
  }
  EXPECT_TRUE(IsKnownHost("Warden.Example:8080", {"warden.example"}));
  for (const std::string& name : MachineNames()) EXPECT_TRUE(IsKnownHost(name + ":8080", {}));
}

TEST_F(SessionTest, AViewerHasASessionThatEndsWhenTheLinkIsRevoked) {
  const std::string file = folder_.File("viewers.json");
  const auto start = std::chrono::floor<std::chrono::seconds>(now_);
  const auto viewer = auth::AddViewer(file, "ana", start, hours(24));
  ASSERT_TRUE(viewer.ok());
  const auto use = [&] {
    auth::Keyring keyring;
    keyring.token = os::Secret(kToken);
    keyring.viewers = auth::ReadViewers(file).value();
    keyring.now = rules_.now;
    authenticator_->keyring = auth::MakeAuthenticator(std::move(keyring));
  };
  use();
  rules_.file = folder_.File("sessions.json");
  const std::string token = viewer.value().token.Reveal();
  const auto answer = Make().LogIn(Head("POST"), token);
  ASSERT_TRUE(std::holds_alternative<std::string>(answer));
  EXPECT_EQ(authenticator_->deeds, std::vector<std::string>{"ana dashboard:SignIn 127.0.0.1 ok"});
  const std::string key = std::get<std::string>(answer);
  // Also after a restart of the service.
  const Sessions sessions = Make();
  EXPECT_FALSE(sessions.CheckHead(WithKey("POST", key)));
  const auto verdict = sessions.Check(WithKey("GET", key), "");
  ASSERT_TRUE(std::holds_alternative<auth::Identity>(verdict));
  EXPECT_EQ(std::get<auth::Identity>(verdict).access_key, "ana");
  EXPECT_FALSE(std::get<auth::Identity>(verdict).May(auth::Scope::kWrite));
  EXPECT_TRUE(Lets(sessions, Head("GET", {{"Authorization", "Bearer " + token}})));
  http::RequestHead link = Head("GET");
  link.query = "ticket=" + sessions.TicketFor(WithKey("POST", key), "/-/api/runs");
  const auto opened = sessions.Check(link, "");
  ASSERT_TRUE(std::holds_alternative<auth::Identity>(opened));
  EXPECT_FALSE(std::get<auth::Identity>(opened).May(auth::Scope::kWrite));
  ASSERT_TRUE(auth::RemoveViewer(file, "ana").ok());
  use();
  EXPECT_FALSE(Lets(sessions, WithKey("GET", key)));
  EXPECT_TRUE(sessions.CheckHead(WithKey("POST", key)));
  EXPECT_FALSE(Lets(sessions, link));
  EXPECT_EQ(CodeOf(sessions.LogIn(Head("POST"), token)), "UnrecognizedClientException");
  EXPECT_TRUE(Lets(sessions, WithKey("GET", KeyOf(sessions)))) << "the token is as before";
}

}  // namespace
}  // namespace warden::dashboard
