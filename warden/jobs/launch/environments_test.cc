#include "warden/jobs/launch/environments.h"

#include <gtest/gtest.h>

#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::jobs {
namespace {

constexpr char kGood[] = R"({"environments": [
  {"name": "torch", "images": ["*/pytorch-training:1.*", "torch"], "python": "/opt/torch/bin/python",
   "env": {"OMP_NUM_THREADS": "2"}},
  {"name": "own", "images": ["own:[12]"], "command": ["/opt/own/train", "--fast"]},
  {"name": "boxed", "images": ["*"],
   "container": {"runtime": "podman", "image": "registry/x:1", "options": ["--gpus", "all"]}}]})";

TEST(EnvironmentsTest, TheFirstThatFitsIsTaken) {
  const auto environments = Environments::Parse(kGood);
  ASSERT_TRUE(environments.ok()) << environments.status().message();
  const JobEnvironment* torch = environments.value().Find("1.dkr.example/pytorch-training:1.13");
  ASSERT_NE(torch, nullptr);
  EXPECT_EQ(torch->python, "/opt/torch/bin/python");
  EXPECT_EQ(torch->variables.front().second, "2");
  EXPECT_EQ(environments.value().Find("own:2")->command.size(), 2U);
  EXPECT_EQ(environments.value().Find("own:3")->name, "boxed");
  EXPECT_EQ(environments.value().Find("own:3")->container->options.size(), 2U);
  EXPECT_EQ(environments.value().KnownImages(),
            "'*/pytorch-training:1.*', 'torch', 'own:[12]', '*'");
}

TEST(EnvironmentsTest, WrongOnesAreNamed) {
  const std::string entry = R"({"environments": [{"name": "a", "images": ["a"], )";
  const std::vector<std::pair<std::string, std::string>> table = {
      {"[", "JSON"},
      {"[]", "{\"environments\": [...]}"},
      {"{\"environments\": {}}", "{\"environments\": [...]}"},
      {"{\"environments\": [], \"more\": 1}", "{\"environments\": [...]}"},
      {"{\"environments\": [7]}", "environments[0]: expected an object"},
      {entry + R"("python": "p", "pyhton": "p"}]})", "environments[0]: pyhton: expected"},
      {entry + R"("python": ""}]})", "python: expected a non-empty string"},
      {entry + R"("command": "ls"}]})", "command: expected a list"},
      {entry + R"("command": ["ls", ""]}]})", "command: expected a list"},
      {entry + R"("python": "p", "command": ["ls"]}]})", "expected exactly one of"},
      {entry + R"("env": {}}]})", "expected exactly one of"},
      {entry + R"("python": "p", "env": {"A=": "x"}}]})", "env.A="},
      {entry + R"("python": "p", "env": {"A": 1}}]})", "env.A"},
      {entry + R"("python": "p", "env": {"A": "x\u0000"}}]})", "env.A"},
      {entry + R"("container": {"runtime": "sh", "image": "x"}}]})", "\"podman\" or \"docker\""},
      {entry + R"("container": {"runtime": "podman", "image": "--privileged"}}]})", "image"},
      {entry + R"("container": {"runtime": "podman", "image": "x", "user": "y"}}]})", "user"},
      {R"({"environments": [{"images": ["a"], "python": "p"}]})", "name: expected"},
      {R"({"environments": [{"name": "a", "python": "p"}]})", "images: expected"},
      {entry + R"("python": "p"}, {"name": "a", "images": ["b"], "python": "p"}]})",
       "environments[1]: duplicate name 'a'"},
  };
  for (const auto& [text, message] : table) {
    const auto environments = Environments::Parse(text);
    ASSERT_FALSE(environments.ok()) << text;
    if (message == "JSON") continue;
    EXPECT_NE(environments.status().message().find(message), std::string::npos)
        << environments.status().message();
  }
}

TEST(EnvironmentsTest, AFileNeedNotBeThereUnlessItWasNamed) {
  const os::TempFolder folder;
  const std::string path = folder.path() / "environments.json";
  EXPECT_TRUE(Environments::Load(path, false).ok());
  EXPECT_EQ(Environments::Load(path, true).status().code(), Code::kInvalid);
  std::ofstream(path) << "{";
  const auto broken = Environments::Load(path, false);
  EXPECT_EQ(broken.status().code(), Code::kInvalid);
  EXPECT_NE(broken.status().message().find(path), std::string::npos);
  std::ofstream(path) << kGood;
  EXPECT_NE(Environments::Load(path, true).value().Find("torch"), nullptr);
}

}  // namespace
}  // namespace warden::jobs
