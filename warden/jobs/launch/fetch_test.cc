// What a job is given: its code and its data.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "warden/jobs/launch/failure_text.h"
#include "warden/jobs/launch/input_data.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/objects.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/jobs/launch/start_program.h"
#include "warden/jobs/launch/strays.h"
#include "warden/os/process_table.h"

namespace warden::jobs {
namespace {

class FetchTest : public LaunchTest {
 protected:
  FetchTest() : objects_(temp_.path() / "s3") {
    for (const char* key : {"data/train/a", "data/train/sub/b", "data/train2/c", "data/train.csv",
                            "data/train/.w-meta", "data/train/half.tmp"}) {
      WriteText(Bucket() / key, key);
    }
  }

  std::string Names(const std::string& address) {
    const auto files = FilesAt(objects_, address);
    if (!files.ok()) return std::string(CodeName(files.status().code()));
    std::string names;
    for (const GivenFile& file : files.value()) names += file.name + " ";
    return names;
  }

  const std::string objects_;
};

TEST_F(FetchTest, AnAddressStandsForTheObjectsThatBeginSo) {
  EXPECT_EQ(Names("s3://bucket/data/train/"), "a sub/b ");
  EXPECT_EQ(Names("s3://bucket/data/train"), "train.csv a sub/b train2/c ");
  EXPECT_EQ(Names("s3://bucket/data/train.csv"), "train.csv ");
  EXPECT_EQ(Names("s3://bucket/data/train/s"), "sub/b ");
  EXPECT_EQ(Names("s3://bucket"), "data/train.csv data/train/a data/train/sub/b data/train2/c ");
  EXPECT_EQ(Names("s3://bucket/none"), "NotFound");
  EXPECT_EQ(Names("s3://no-bucket/x"), "NotFound");
  EXPECT_EQ(Names("ftp://x"), "Invalid");
  EXPECT_EQ(Names("file://relative"), "Invalid");
  EXPECT_EQ(Names("file://" + (Bucket() / "data/train/sub").string()), "b ");
  EXPECT_EQ(Names((Bucket() / "data/train.csv").string()), "train.csv ");
}

TEST_F(FetchTest, LinksThatJobsHaveLeftInBucketsLeadNowhere) {
  WriteText(temp_.path() / "credentials", "secret");
  std::filesystem::create_symlink(temp_.path() / "credentials", Bucket() / "data/train/link");
  std::filesystem::create_directory_symlink(temp_.path(), Bucket() / "data/train/folder");
  EXPECT_EQ(Names("s3://bucket/data/train/"), "a sub/b ");
  EXPECT_EQ(Names("s3://bucket/data/train/folder/cred"), "NotFound");
}

Json Channel(const std::string& name, Json source, Json more = Json::object()) {
  Json channel = {{"ChannelName", name}, {"DataSource", std::move(source)}};
  channel.update(more);
  return channel;
}
Json S3(const std::string& uri) { return {{"S3DataSource", {{"S3Uri", uri}}}}; }

TEST_F(FetchTest, ChannelsAreCopiesThatProgramsMayChange) {
  const HostLayout layout(Host(), HostLayout::View::kHere);
  const TrainingJob job = JobOf({{"InputDataConfig",
                                  {Channel("train", S3("s3://bucket/data/train/")),
                                   Channel("one", S3("s3://bucket/data/train.csv"))}}});
  ASSERT_TRUE(CheckInputData(job).ok());
  const Status status = FetchInputData(job, "algo-1", layout, objects_);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(ReadText(Ml() / "input/data/train/sub/b"), "data/train/sub/b");
  EXPECT_EQ(ReadText(Ml() / "input/data/one/train.csv"), "data/train.csv");
  WriteText(Ml() / "input/data/train/a", "changed");
  EXPECT_EQ(ReadText(Bucket() / "data/train/a"), "data/train/a");
  const TrainingJob empty = JobOf({{"InputDataConfig", {Channel("x", S3("s3://bucket/none"))}}});
  EXPECT_EQ(FetchInputData(empty, "algo-1", layout, objects_).message(),
            "channel 'x': nothing found at s3://bucket/none");
}

TEST_F(FetchTest, ChannelsThatCannotBeHadAreRefused) {
  const auto refused = [](const Json& channel) {
    const Status status = CheckInputData(JobOf({{"InputDataConfig", {channel, channel}}}));
    EXPECT_EQ(status.code(), Code::kInvalid);
    return status.message();
  };
  EXPECT_NE(refused(Channel("a", S3("s3://b/c"), {{"InputMode", "Pipe"}})).find("Pipe"),
            std::string::npos);
  EXPECT_NE(refused(Channel("a", {{"FileSystemDataSource", Json::object()}})).find("FileSystem"),
            std::string::npos);
  EXPECT_NE(refused(Channel("a", {{"S3DataSource", {{"S3DataType", "ManifestFile"}}}}))
                .find("ManifestFile"),
            std::string::npos);
  EXPECT_NE(refused(Channel("..", S3("s3://b/c"))).find("'..'"), std::string::npos);
  EXPECT_NE(refused(Channel("a/b", S3("s3://b/c"))).find("'a/b'"), std::string::npos);
  EXPECT_NE(refused(Channel("a", S3("s3://b/c"))).find("duplicate channel name"),
            std::string::npos);
}

TEST_F(FetchTest, ScriptsComeFromArchivesAndFolders) {
  WriteText(outside_.path() / "from/train.py", "print(1)");
  const std::string code = temp_.path() / "code";
  std::filesystem::create_directories(code);
  std::filesystem::create_directories(Bucket() / "x");
  ASSERT_EQ(std::system(("cd " + (outside_.path() / "from").string() + " && tar -czf " +
                         (Bucket() / "x/sourcedir.tar.gz").string() + " train.py")
                            .c_str()),
            0);
  for (const std::string& directory :
       {std::string("s3://bucket/x/sourcedir.tar.gz"), (outside_.path() / "from").string(),
        "file://" + (Bucket() / "x/sourcedir.tar.gz").string()}) {
    std::filesystem::remove(code + "/train.py");
    const Status status = FetchScript({"train.py", directory}, objects_, code);
    EXPECT_TRUE(status.ok()) << directory << ": " << status.message();
    EXPECT_EQ(ReadText(code + "/train.py"), "print(1)") << directory;
  }
  EXPECT_EQ(FetchScript({"main.py", "s3://bucket/x/sourcedir.tar.gz"}, objects_, code).message(),
            "no 'main.py' in s3://bucket/x/sourcedir.tar.gz: it contains train.py");
  const Status large =
      FetchScript({"train.py", "s3://bucket/x/sourcedir.tar.gz"}, objects_, code, {4, 10});
  EXPECT_EQ(large.code(), Code::kInvalid);
  EXPECT_NE(large.message().find("more than 4 bytes, the size of the volume"), std::string::npos);
  const HostLayout layout(Host(), HostLayout::View::kBox);
  EXPECT_EQ(WordsOf({"train.py", "x"}, {"python3"}, layout, {"--a", "1"}),
            (std::vector<std::string>{"python3", "train.py", "--a", "1"}));
  EXPECT_EQ(WordsOf({"train.R", "x"}, {"python3"}, layout, {"--a", "1"}),
            (std::vector<std::string>{"Rscript", "train.R", "--a", "1"}));
  EXPECT_EQ(WordsOf({"train.sh", "x"}, {"python3"}, layout, {}),
            (std::vector<std::string>{"/bin/sh", "/opt/ml/code/train.sh"}));
}

TEST_F(FetchTest, NothingOfTheServiceIsGivenAway) {
  WriteText(temp_.path() / "token", "secret");
  std::filesystem::create_directories(outside_.path() / "in");
  std::filesystem::create_symlink(temp_.path(), outside_.path() / "in/link");
  for (const std::string& path :
       {temp_.path().string(), (temp_.path() / "token").string(), std::string("/"),
        (outside_.path() / "in/link").string(), (outside_.path() / "in/link/token").string()}) {
    const auto files = FilesAt(objects_, "file://" + path);
    EXPECT_EQ(files.status().code(), Code::kInvalid) << path;
  }
}

TEST_F(FetchTest, FailuresAreTheProgramsWordsOrItsLastLines) {
  const std::string file = temp_.path() / "failure";
  EXPECT_EQ(FailureText(file, "a\nb\n\n10%\r20%\rno\n"), "a\nb\nno");
  EXPECT_EQ(FailureText(file, ""), "");
  EXPECT_LE(FailureText(file, std::string(5000, 'x') + "\nlast").size(), 1024U);
  EXPECT_EQ(FailureText(file, std::string(5000, 'x') + "\nlast"), "last");
  WriteText(file, "why\n");
  EXPECT_EQ(FailureText(file, "tail"), "why");
  WriteText(file, " \n");
  EXPECT_EQ(FailureText(file, "tail"), "tail");
  std::string euros = "x";
  while (euros.size() < 3000) euros += "\xE2\x82\xAC";
  WriteText(file, euros + "\xFF");
  const std::string cut = FailureText(file, "");
  EXPECT_LE(cut.size(), 1024U);
  EXPECT_EQ(euros.substr(0, 1000), cut.substr(0, 1000));
  std::filesystem::remove(file);
  mkfifo(file.c_str(), 0600);
  EXPECT_EQ(FailureText(file, "tail"), "tail");
  std::filesystem::create_directories(temp_.path() / "others");
  WriteText(temp_.path() / "others/failure", "of others");
  std::filesystem::create_symlink("others", temp_.path() / "output");
  EXPECT_EQ(FailureText(temp_.path() / "output/failure", "tail"), "tail");
}

TEST_F(FetchTest, StraysAreFoundByTheirVariable) {
  // Two that have gone away from everything else that would tell whose they are.
  const std::string own = temp_.path() / "own", other = temp_.path() / "other";
  std::vector<pid_t> pids;
  for (const std::string& host : {own, other}) {
    const std::string file = host + ".pid";
    const auto started =
        StartProgram({{"/bin/sh", "-c", "setsid sleep 1000 & echo $! > " + file},
                      {"PATH=/bin:/usr/bin", std::string(kHostVariable) + "=" + host},
                      "/",
                      STDERR_FILENO});
    ASSERT_TRUE(started.ok()) << started.status().message();
    waitpid(started.value(), nullptr, 0);
    pids.push_back(std::stoi(ReadText(file)));
  }
  ASSERT_TRUE(Eventually([&] { return getsid(pids[0]) == pids[0]; }));
  KillStrays(own);
  EXPECT_FALSE(os::StartOfProcess(pids[0]));
  EXPECT_TRUE(os::StartOfProcess(pids[1]));
  KillStrays(other);
  EXPECT_FALSE(os::StartOfProcess(pids[1]));
}

}  // namespace
}  // namespace warden::jobs
