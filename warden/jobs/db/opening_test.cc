#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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
