#include "warden/auth/authenticator.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "warden/actions/actions_for_test.h"
#include "warden/auth/credentials_file.h"
#include "warden/auth/first_start.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::auth {
namespace {

class AuthenticatorTest : public testing::Test {
 protected:
  AuthenticatorTest() {
    options_.data = folder_.path();
    options_.account = "123456789012";
    options_.region = "eu-west-1";
  }

  static mode_t ModeOf(const std::string& path) {
    struct stat info{};
    EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 07777;
  }

  os::TempFolder folder_;
  service::ServiceOptions options_;
};

TEST_F(AuthenticatorTest, MakesWhatItNeedsOnce) {
  ASSERT_TRUE(OpenAuthenticator(options_).ok());
  const std::string credentials = *os::ReadWholeFile(folder_.File("credentials"));
  const std::string token = *os::ReadWholeFile(folder_.File("token"));
  EXPECT_EQ(ModeOf(folder_.File("credentials")), 0600);
  EXPECT_EQ(ModeOf(folder_.File("token")), 0600);
  EXPECT_EQ(token.size(), 65U);
  const auto keys = ReadCredentials(folder_.File("credentials"));
  ASSERT_TRUE(keys.ok());
  EXPECT_TRUE(keys.value()[0].id.starts_with("WARDEN"));
  EXPECT_EQ(keys.value()[0].id.size(), 20U);
  EXPECT_EQ(keys.value()[0].secret.Reveal().size(), 40U);

  const auto authenticator = OpenAuthenticator(options_);
  ASSERT_TRUE(authenticator.ok());
  EXPECT_EQ(*os::ReadWholeFile(folder_.File("credentials")), credentials);
  EXPECT_EQ(*os::ReadWholeFile(folder_.File("token")), token);
  http::RequestHead head;
  head.headers = {{"Authorization", "Bearer " + token.substr(0, 64)}};
  const Verdict verdict = authenticator.value()->Check(head, "");
  ASSERT_TRUE(std::holds_alternative<Identity>(verdict));
  EXPECT_EQ(std::get<Identity>(verdict).account, "123456789012");
  EXPECT_EQ(std::get<Identity>(verdict).region, "eu-west-1");
  // Nothing else was left.
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(names, (std::set<std::string>{"credentials", "token"}));
}

TEST_F(AuthenticatorTest, UsesTheFileItIsGiven) {
  options_.credentials = folder_.Write("keys", "[a]\naws_access_key_id=A\naws_secret_access_key=B");
  ASSERT_TRUE(OpenAuthenticator(options_).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.File("credentials")));
  options_.credentials = folder_.File("absent");
  EXPECT_EQ(OpenAuthenticator(options_).status().code(), Code::kNotFound);
}

TEST_F(AuthenticatorTest, RefusesFilesThatOthersMayRead) {
  ASSERT_TRUE(OpenAuthenticator(options_).ok());
  for (const char* name : {"credentials", "token"}) {
    ASSERT_EQ(chmod(folder_.File(name).c_str(), 0604), 0);
    EXPECT_EQ(OpenAuthenticator(options_).status().code(), Code::kInvalid) << name;
    ASSERT_EQ(chmod(folder_.File(name).c_str(), 0600), 0);
  }
  folder_.Write("token", "short\n");
  EXPECT_EQ(OpenAuthenticator(options_).status().code(), Code::kInvalid);
}

TEST_F(AuthenticatorTest, OfSeveralWhoBeginOneMakesTheSecrets) {
  std::vector<std::thread> threads;
  std::vector<std::string> tokens(8);
  for (std::string& token : tokens) {
    threads.emplace_back([this, &token] {
      const auto made = TokenOf(folder_.File("token"));
      if (made.ok()) token = made.value().Reveal();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(tokens[0].size(), 64U);
  EXPECT_EQ(std::set<std::string>(tokens.begin(), tokens.end()).size(), 1U);
  EXPECT_EQ(MakePrivateFile(folder_.File("token"), "x").code(), Code::kExists);
}

TEST_F(AuthenticatorTest, SaysThatItCannotWrite) {
  options_.data = folder_.File("absent");
  const auto opened = OpenAuthenticator(options_);
  EXPECT_EQ(opened.status().code(), Code::kIo);
  EXPECT_NE(opened.status().message().find("absent"), std::string::npos);
}

// Sends requests until the answer is as expected, or ten seconds are over.
bool AcceptsSoon(const Authenticator& authenticator, const std::string& token, bool expected) {
  http::RequestHead head;
  head.headers = {{"Authorization", "Bearer " + token}};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < end) {
    if (std::holds_alternative<Identity>(authenticator.Check(head, "")) == expected) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

TEST_F(AuthenticatorTest, KeysAreReplacedWithoutARestart) {
  const std::string first(64, 'a');
  const std::string second(64, 'b');
  ASSERT_TRUE(MakePrivateFile(folder_.File("token"), first + "\n").ok());
  const auto opened = OpenAuthenticator(options_);
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  EXPECT_TRUE(AcceptsSoon(*opened.value(), first, true));
  std::filesystem::remove(folder_.File("token"));
  ASSERT_TRUE(MakePrivateFile(folder_.File("token"), second + "\n").ok());
  EXPECT_TRUE(AcceptsSoon(*opened.value(), second, true));
  EXPECT_TRUE(AcceptsSoon(*opened.value(), first, false));
  // What cannot be used changes nothing.
  std::filesystem::remove(folder_.File("token"));
  ASSERT_TRUE(MakePrivateFile(folder_.File("token"), "short\n").ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  EXPECT_TRUE(AcceptsSoon(*opened.value(), second, true));
}

}  // namespace
}  // namespace warden::auth
