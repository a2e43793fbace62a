#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/base/checkout_for_test.h"
#include "warden/jobs/db/migrations.h"
#include "warden/jobs/db/store_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

void Write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

void Execute(const std::string& path, const std::string& statements) {
  Write(path + "-made", "");
  if (!std::filesystem::exists(path)) Write(path, "");
  auto connection = db::Connection::Open(path, db::Connection::Mode::kReadWrite);
  ASSERT_TRUE(connection.ok());
  const Status status = connection.value()->Execute(statements);
  ASSERT_TRUE(status.ok()) << status.message();
}

TEST(OpeningTest, RefusesWhatIsNoDatabase) {
  const StoreFolder folder;
  Write(folder.Path(), std::string(5000, 'x'));
  auto opened = OpenJobStore(folder.Path());
  EXPECT_EQ(opened.status().code(), Code::kCorrupt);
  EXPECT_NE(opened.status().message().find(folder.Path()), std::string::npos);
  EXPECT_EQ(os::ReadWholeFile(folder.Path()), std::string(5000, 'x'));
}

TEST(OpeningTest, RefusesTheDatabaseOfAnotherProgram) {
  const StoreFolder folder;
  Execute(folder.Path(), "CREATE TABLE cookies (name TEXT)");
  const auto before = os::ReadWholeFile(folder.Path());
  auto opened = OpenJobStore(folder.Path());
  EXPECT_EQ(opened.status().code(), Code::kCorrupt);
  EXPECT_NE(opened.status().message().find("is not a Tensorwarden database"), std::string::npos);
  EXPECT_EQ(os::ReadWholeFile(folder.Path()), before);
}

TEST(OpeningTest, RefusesALaterVersion) {
  const StoreFolder folder;
  folder.Open();
  Execute(folder.Path(), "PRAGMA user_version = 99");
  auto opened = OpenJobStore(folder.Path());
  EXPECT_EQ(opened.status().code(), Code::kCorrupt);
  EXPECT_NE(opened.status().message().find("version 99"), std::string::npos);
}

TEST(OpeningTest, RefusesADamagedOne) {
  const StoreFolder folder;
  {
    auto store = folder.Open();
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(store->Create(SomeJob("job-" + std::to_string(i)), {}).ok());
    }
  }
  std::string bytes = *os::ReadWholeFile(folder.Path());
  ASSERT_GT(bytes.size(), 40'000u);
  for (size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  Write(folder.Path(), bytes);
  EXPECT_EQ(OpenJobStore(folder.Path()).status().code(), Code::kCorrupt);
}

TEST(OpeningTest, AFolderThatIsNotThereIsToldOf) {
  const StoreFolder folder;
  auto opened = OpenJobStore(folder.folder() + "/none/warden.db");
  EXPECT_EQ(opened.status().code(), Code::kIo);
  EXPECT_NE(opened.status().message().find("none/warden.db"), std::string::npos);
}

TEST(OpeningTest, MigratesFromEveryVersion) {
  for (size_t version = 0; version <= db::Migrations().size(); ++version) {
    const StoreFolder folder;
    std::string statements = "PRAGMA application_id = 1415013486;";
    for (size_t i = 0; i < version; ++i) statements += db::Migrations()[i];
    statements += "; PRAGMA user_version = " + std::to_string(version);
    Execute(folder.Path(), statements);
    auto store = folder.Open();
    ASSERT_NE(store, nullptr);
    EXPECT_TRUE(store->Create(SomeJob(), {}).ok());
  }
}

// Recorded, so that neither the tables nor the members of a job can change unnoticed.
TEST(OpeningTest, ReadsADatabaseOfTheFirstRelease) {
  const StoreFolder folder;
  const auto recorded = os::ReadWholeFile(SourceFile("warden/jobs/db/testdata/version-0.1.0.sql"));
  ASSERT_TRUE(recorded);
  Execute(folder.Path(), *recorded);
  auto store = folder.Open();
  ASSERT_NE(store, nullptr);
  const auto read = store->Get("first-job");
  ASSERT_TRUE(read.ok()) << read.status().message();
  const TrainingJob& job = read.value();
  EXPECT_EQ(job.status, JobStatus::kFailed);
  EXPECT_EQ(job.failure_reason, "AlgorithmError: the loss is NaN");
  EXPECT_EQ(job.owner, "AKIDEXAMPLE");
  EXPECT_EQ(job.created, At(1'767'323'000'123));
  EXPECT_EQ(job.ended, At(1'767'323'900'000));
  ASSERT_EQ(job.transitions.size(), 3u);
  EXPECT_EQ(job.transitions[1].status, SecondaryStatus::kTraining);
  EXPECT_EQ(job.tags.size(), 2u);
  EXPECT_EQ(job.request["HyperParameters"]["epochs"], "3");
  ASSERT_EQ(job.rules.size(), 2u);
  EXPECT_EQ(job.rules[0].Name(), "VanishingGradient");
  EXPECT_EQ(job.rules[0].status, RuleStatus::kIssuesFound);
  EXPECT_EQ(job.rules[0].details, "VanishingGradient fired at step 3");
  EXPECT_EQ(store->FindRuleJob("first-job-lg-5e6f7a8b").value().second, 1u);
  EXPECT_EQ(store->Unfinished().value(), std::vector<std::string>{"second-job"});
  EXPECT_EQ(store->EventsAfter(0, 100).value().size(), 6u);
  EXPECT_EQ(store->CursorOf("webhook-1"), 3);
  const auto changed = store->Change("second-job", [](TrainingJob* second) {
    Enter(second, SecondaryStatus::kCompleted, "", At(1'767'324'000'000));
    return Status();
  });
  EXPECT_TRUE(changed.ok()) << changed.status().message();
  EXPECT_EQ(store->Get("second-job").value().status, JobStatus::kCompleted);
}

TEST(OpeningTest, OneBadRecordDoesNotHideTheOthers) {
  const StoreFolder folder;
  {
    auto store = folder.Open();
    ASSERT_TRUE(store->Create(SomeJob("good"), {}).ok());
    ASSERT_TRUE(store->Create(SomeJob("bad"), {}).ok());
  }
  Execute(folder.Path(), "UPDATE jobs SET document = '{\"name\": 7}' WHERE name = 'bad'");
  auto store = folder.Open();
  auto page = store->List({});
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page.value().items.size(), 1u);
  EXPECT_EQ(page.value().items[0].name, "good");
  const Status status = store->Get("bad").status();
  EXPECT_EQ(status.code(), Code::kCorrupt);
  EXPECT_NE(status.message().find("job bad"), std::string::npos);
}

}  // namespace
}  // namespace warden::jobs
