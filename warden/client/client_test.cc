#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "warden/base/json.h"
#include "warden/client/api_client.h"
#include "warden/client/service_file.h"
#include "warden/client/shell_client.h"
#include "warden/client/shell_end.h"

namespace warden::client {
namespace {

namespace fs = std::filesystem;

class ServiceFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/clientXXXXXX";
    folder_ = mkdtemp(pattern.data());
    variables_["XDG_CONFIG_HOME"] = folder_;
    WriteToken("token", "abc\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string WriteToken(const std::string& name, const std::string& text, mode_t mode = 0600) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }
  Result<Endpoint> Find(const EndpointFlags& flags = {}) {
    return FindService(flags, [this](const char* name) -> const char* {
      const auto found = variables_.find(name);
      return found == variables_.end() ? nullptr : found->second.c_str();
    });
  }
  std::string Path() { return folder_ + "/tensorwarden/service.json"; }

  std::string folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(ServiceFileTest, ToldByTheServiceUntilItEnds) {
  EXPECT_EQ(Find().status().code(), Code::kNotFound);
  EXPECT_NE(Find().status().message().find("warden serve"), std::string::npos);
  ASSERT_TRUE(WriteServiceFile(Path(), {"http://127.0.0.1:9", folder_ + "/token", "", 7}).ok());
  struct stat info{};
  ASSERT_EQ(stat(Path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto found = Find();
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found.value().url, "http://127.0.0.1:9");
  EXPECT_EQ(found.value().token.Reveal(), "abc");
  RemoveServiceFile(Path(), 8);  // Another's.
  EXPECT_TRUE(fs::exists(Path()));
  RemoveServiceFile(Path(), 7);
  EXPECT_FALSE(fs::exists(Path()));
}

TEST_F(ServiceFileTest, FlagsWinOverTheEnvironmentAndThatOverTheFile) {
  ASSERT_TRUE(WriteServiceFile(Path(), {"http://127.0.0.1:9", folder_ + "/token", "", 7}).ok());
  variables_["WARDEN_ENDPOINT"] = "https://elsewhere:1/";
  variables_["WARDEN_TOKEN_FILE"] = WriteToken("other", "def");
  variables_["WARDEN_CA_FILE"] = "/ca.pem";
  EXPECT_EQ(Find().value().url, "https://elsewhere:1");
  EXPECT_EQ(Find().value().token.Reveal(), "def");
  EXPECT_EQ(Find().value().ca_file, "/ca.pem");
  EXPECT_EQ(Find({"http://here:2", WriteToken("third", "ghi")}).value().token.Reveal(), "ghi");
}

TEST_F(ServiceFileTest, ATokenIsNotToldToAnotherService) {
  ASSERT_TRUE(WriteServiceFile(Path(), {"http://127.0.0.1:9", folder_ + "/token", "", 7}).ok());
  const auto found = Find({"http://elsewhere:9", ""});
  EXPECT_EQ(found.status().code(), Code::kInvalid);
  EXPECT_NE(found.status().message().find("--token-file"), std::string::npos);
}

TEST_F(ServiceFileTest, WhatIsWrongIsNamed) {
  EXPECT_FALSE(Find({"ftp://x", folder_ + "/token"}).ok());
  EXPECT_FALSE(Find({"http://x", folder_ + "/none"}).ok());
  const auto open = Find({"http://x", WriteToken("open", "abc", 0644)});
  EXPECT_NE(open.status().message().find("chmod 600"), std::string::npos);
  fs::create_directories(folder_ + "/tensorwarden");
  for (const char* text : {"", "[]", "{\"endpoint\": 3}", "{", "\xff"}) {
    std::ofstream(Path()) << text;
    EXPECT_EQ(Find().status().code(), Code::kCorrupt) << text;
  }
}

TEST(ReadAnswerTest, TellsCodeAndMessage) {
  EXPECT_EQ(ReadAnswer(200, "{\"a\": 1}").value(), Json({{"a", 1}}));
  EXPECT_EQ(ReadAnswer(200, "").value(), Json::object());
  const auto invalid =
      ReadAnswer(400, R"({"__type": "com.x#ValidationException", "message": "no"})");
  EXPECT_EQ(invalid.status().message(), "ValidationException: no");
  EXPECT_EQ(invalid.status().code(), Code::kInvalid);
  EXPECT_EQ(ReadAnswer(400, R"({"__type": "ResourceInUse", "Message": "m"})").status().code(),
            Code::kExists);
  EXPECT_EQ(ReadAnswer(400, R"({"__type": "ValidationException", "message":
                               "Requested resource not found."})")
                .status()
                .code(),
            Code::kNotFound);
  EXPECT_EQ(ReadAnswer(500, "{}").status().message(), "HTTP 500: ");
}

TEST(ReadAnswerTest, AnythingElseIsNoServiceOfOurs) {
  for (const char* body : {"<html>", "[]", "3", "{\"a\":"}) {
    for (const long status : {200L, 404L}) {
      EXPECT_EQ(ReadAnswer(status, body).status().code(), Code::kUnavailable) << body;
    }
  }
}

TEST(ApiClientTest, TellsThatNobodyAnswers) {
  const Endpoint endpoint{"http://127.0.0.1:1", os::Secret("abc"), ""};
  const auto answer = MakeApiClient(&endpoint)->Call("SageMaker.ListTrainingJobs", Json::object());
  EXPECT_EQ(answer.status().code(), Code::kUnavailable);
  EXPECT_EQ(answer.status().message().find("cannot connect to the service at http://127.0.0.1:1"),
            0u);
  const auto shell = RunShell(endpoint, {"job", "", {}});
  EXPECT_EQ(shell.status().message().find("cannot connect to the service at http://127.0.0.1:1"),
            0u);
}

TEST(ShellEndTest, IsAnExitCodeOrAReason) {
  EXPECT_EQ(ParseShellEnd(R"({"exit_code": 259})")->exit_code, 3);
  EXPECT_EQ(ParseShellEnd(R"({"exit_code": 3})")->closed, "");
  EXPECT_EQ(ParseShellEnd(R"({"closed": "idle for too long"})")->closed, "idle for too long");
  // Not as if the program had ended well.
  for (const char* text :
       {"{}", R"({"closed": ""})", R"({"closed": 1})", R"({"exit_code": 0.5})"}) {
    EXPECT_EQ(ParseShellEnd(text)->closed, "for an unknown reason") << text;
  }
  EXPECT_FALSE(ParseShellEnd("[]") || ParseShellEnd("") || ParseShellEnd("{"));
}

TEST(ShellTargetTest, EncodesWhatItIsGiven) {
  EXPECT_EQ(ShellTarget({"a b", "algo-2", {"sh", "-c", "x&y=1 %"}}, 80, 24, "xterm"),
            "/-/exec?job=a%20b&host=algo-2&columns=80&rows=24&term=xterm&word=sh&word=-c&word="
            "x%26y%3D1%20%25");
}

}  // namespace
}  // namespace warden::client
