#include "warden/actions/journal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "warden/actions/actions_for_test.h"
#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::actions {
namespace {

std::vector<Json> Lines(const std::string& path) {
  auto journal = Journal::Open(path);
  EXPECT_TRUE(journal.ok()) << journal.status().message();
  return journal.ok() ? journal.value()->TakeLines() : std::vector<Json>();
}

TEST(JournalTest, KeepsWhatIsAppended) {
  const os::TempFolder folder;
  const std::string path = folder.File("rule-output/actions.jsonl");
  for (int i = 0; i < 3; ++i) {
    auto journal = Journal::Open(path);
    ASSERT_TRUE(journal.ok()) << journal.status().message();
    EXPECT_EQ(journal.value()->TakeLines().size(), static_cast<size_t>(i));
    EXPECT_TRUE(journal.value()->Append({{"n", i}}).ok());
  }
  EXPECT_EQ(Lines(path)[2], (Json{{"n", 2}}));
  struct stat info{};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST(JournalTest, BelongsToOneAtATime) {
  const os::TempFolder folder;
  const std::string path = folder.File("journal");
  const auto first = Journal::Open(path);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(Journal::Open(path).status().code(), Code::kUnavailable);
}

TEST(JournalTest, ToleratesATornLine) {
  const os::TempFolder folder;
  for (const char* torn : {"{\"n\": 1}\n{\"n\": 2, \"x", "{\"n\": 1}\n5\n", "{\"n\": 1}\n\n\xff"}) {
    const std::string path = folder.Write("journal", torn);
    {
      auto journal = Journal::Open(path);
      ASSERT_TRUE(journal.ok());
      EXPECT_EQ(journal.value()->TakeLines(), std::vector<Json>{Json({{"n", 1}})}) << torn;
      EXPECT_TRUE(journal.value()->Append({{"n", 3}}).ok());
    }
    const std::vector<Json> lines = Lines(path);
    ASSERT_EQ(lines.size(), 2U) << torn;
    EXPECT_EQ(lines[1], (Json{{"n", 3}}));
  }
}

TEST(JournalTest, SaysWhyItCannotBeHad) {
  const os::TempFolder folder;
  const std::string file = folder.Write("file", "");
  EXPECT_EQ(Journal::Open(file + "/journal").status().code(), Code::kIo);
  // Reading it would never end.
  EXPECT_EQ(Journal::Open("/dev/full").status().code(), Code::kInvalid);
}

}  // namespace
}  // namespace warden::actions
