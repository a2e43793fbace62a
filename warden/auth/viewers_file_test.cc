#include "warden/auth/viewers_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "warden/auth/keyring.h"
#include "warden/auth/rotating_authenticator.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::auth {
namespace {

using std::chrono::hours;
using std::chrono::sys_seconds;

class ViewersFileTest : public testing::Test {
 protected:
  std::string path() const { return folder_.File("viewers.json"); }
  Result<NewViewer> Add(const std::string& name) const {
    return AddViewer(path(), name, now_, hours(24));
  }
  // What a service that read the file now would say.
  std::unique_ptr<Authenticator> Service() const {
    Keyring ring;
    ring.viewers = ReadViewers(path()).value();
    ring.token = os::Secret("0123456789abcdef0123456789abcdef");
    ring.now = [this] { return now_; };
    return MakeAuthenticator(std::move(ring));
  }

  os::TempFolder folder_;
  sys_seconds now_{hours(500'000)};
};

TEST_F(ViewersFileTest, ATokenMayReadUntilItExpires) {
  const auto added = Add("ana");
  ASSERT_TRUE(added.ok()) << added.status().message();
  const std::string token = added.value().token.Reveal();
  const auto identity = Service()->ViewerWith(token);
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->access_key, "ana");
  EXPECT_TRUE(identity->May(Scope::kRead));
  EXPECT_FALSE(identity->May(Scope::kWrite));
  EXPECT_FALSE(identity->May(Scope::kExec));
  EXPECT_EQ(identity->WhyNot(Scope::kWrite), "this link is view-only");
  EXPECT_EQ(Service()->ViewerOf(ViewerIdOf(token))->access_key, "ana");
  now_ += hours(24);
  EXPECT_FALSE(Service()->ViewerWith(token));
  EXPECT_FALSE(Service()->ViewerOf(added.value().viewer.id));
}

TEST_F(ViewersFileTest, ANewLinkWorksAtOnce) {
  const auto service =
      RotatingAuthenticator::Open(
          {path()}, [this]() -> Result<std::unique_ptr<Authenticator>> { return Service(); },
          path() + ".log")
          .value();
  EXPECT_FALSE(service->ViewerWith("view-000000000000-0"));
  const auto added = Add("ana");
  EXPECT_TRUE(service->ViewerWith(added.value().token.Reveal()));
}

TEST_F(ViewersFileTest, OtherTokensAreNone) {
  const auto added = Add("ana");
  const std::string token = added.value().token.Reveal();
  std::string changed = token;
  changed.back() = changed.back() == '0' ? '1' : '0';
  for (const std::string& wrong :
       {changed, token + "0", token.substr(0, 17), std::string("view-"), std::string(),
        std::string("view--"), std::string("0123456789abcdef0123456789abcdef")}) {
    EXPECT_FALSE(Service()->ViewerWith(wrong)) << wrong;
  }
}

TEST_F(ViewersFileTest, TheTokenOpensNothingButTheDashboard) {
  const auto added = Add("ana");
  http::RequestHead head;
  head.method = "GET";
  head.path = "/bucket/model.tar.gz";
  head.headers = {{"Authorization", "Bearer " + added.value().token.Reveal()}};
  EXPECT_TRUE(std::holds_alternative<Refusal>(Service()->Check(head, "")));
}

TEST_F(ViewersFileTest, TheFileIsPrivateAndHasNoToken) {
  const auto added = Add("ana");
  struct stat info{};
  ASSERT_EQ(stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const std::string text = *os::ReadWholeFile(path());
  const std::string token = added.value().token.Reveal();
  EXPECT_EQ(text.find(token.substr(token.rfind('-'))), std::string::npos);
  ASSERT_EQ(chmod(path().c_str(), 0644), 0);
  EXPECT_EQ(ReadViewers(path()).status().code(), Code::kInvalid);
}

TEST_F(ViewersFileTest, ARevokedOneIsGoneAndItsNameFree) {
  const auto first = Add("ana"), second = Add("ben");
  EXPECT_EQ(Add("ana").status().code(), Code::kExists);
  EXPECT_EQ(RemoveViewer(path(), "eve").message(),
            "unknown viewer 'eve'; expected one of: ana, ben");
  EXPECT_TRUE(RemoveViewer(path(), "ana").ok());
  EXPECT_TRUE(RemoveViewer(path(), second.value().viewer.id).ok());
  EXPECT_FALSE(Service()->ViewerWith(first.value().token.Reveal()));
  EXPECT_FALSE(Service()->ViewerWith(second.value().token.Reveal()));
  EXPECT_EQ(RemoveViewer(path(), "ana").message(), "unknown viewer 'ana'; there are none");
  ASSERT_TRUE(Add("ana").ok());
  EXPECT_FALSE(Service()->ViewerWith(first.value().token.Reveal())) << "the name alone is nothing";
}

TEST_F(ViewersFileTest, ExpiredOnesMakeRoom) {
  ASSERT_TRUE(Add("ana").ok());
  now_ += hours(25);
  ASSERT_TRUE(Add("ana").ok());
  EXPECT_EQ(ReadViewers(path()).value().size(), 1u);
}

TEST_F(ViewersFileTest, NamesAndFilesThatAreWrongAreRefused) {
  for (const std::string& name : {std::string(), std::string(65, 'x'), std::string("a\nb")}) {
    EXPECT_EQ(Add(name).status().code(), Code::kInvalid) << name;
  }
  EXPECT_TRUE(ReadViewers(path()).value().empty()) << "no file, no viewers";
  folder_.Write("viewers.json", "{\"viewers\": [{\"id\": 1}]}");
  ASSERT_EQ(chmod(path().c_str(), 0600), 0);
  EXPECT_EQ(ReadViewers(path()).status().code(), Code::kInvalid);
  EXPECT_EQ(Add("ana").status().code(), Code::kInvalid) << "it is not replaced";
}

TEST_F(ViewersFileTest, SeveralAtOnceLoseNone) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] { EXPECT_TRUE(Add("viewer " + std::to_string(i)).ok()); });
  }
  threads.clear();
  EXPECT_EQ(ReadViewers(path()).value().size(), 8u);
}

}  // namespace
}  // namespace warden::auth
