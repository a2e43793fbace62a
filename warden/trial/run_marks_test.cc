#include "warden/trial/run_marks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::trial {
namespace {

std::string MarksRefusal(const Json& changes) {
  const auto changed = ChangeMarks(RunMarks(), changes);
  return changed.ok() ? "accepted" : changed.status().message();
}

TEST(RunMarksTest, ChangesOnlyWhatIsNamed) {
  RunMarks marks;
  marks.note = "first try";
  const auto changed =
      ChangeMarks(marks, {{"tags", {"b", "a", "b"}}, {"display_name", " Ré "}, {"baseline", true}});
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(ToJson(changed.value()), (Json{{"display_name", "Ré"},
                                           {"tags", {"a", "b"}},
                                           {"note", "first try"},
                                           {"archived", false},
                                           {"baseline", true}}));
}

TEST(RunMarksTest, RefusesWhatIsNotAccepted) {
  EXPECT_EQ(MarksRefusal({{"archived", "yes"}}), "archived is \"yes\"; expected true or false");
  EXPECT_EQ(MarksRefusal({{"display_name", "a\nb"}}),
            "display_name is \"a\\nb\"; expected text of at most 200 characters, on one line");
  EXPECT_EQ(MarksRefusal({{"colour", 1}}),
            "unknown member \"colour\"; expected display_name, tags, note, archived or baseline");
  EXPECT_EQ(MarksRefusal({{"tags", {"two words"}}}),
            "tags is [\"two words\"]; expected a list of at most 32 tags, each of 1 to 64 "
            "characters, without blanks and commas");
  EXPECT_NE(MarksRefusal({{"tags", Json::array({1})}}), "accepted");
  EXPECT_NE(MarksRefusal({{"tags", {""}}}), "accepted");
  EXPECT_NE(MarksRefusal({{"tags", {std::string(65, 'x')}}}), "accepted");
  EXPECT_NE(MarksRefusal({{"note", std::string(10'001, 'x')}}), "accepted");
  EXPECT_NE(MarksRefusal(Json::array()), "accepted");
  std::string note;
  for (int i = 0; i < 10'000; ++i) note += "é";
  EXPECT_EQ(MarksRefusal({{"note", note}}), "accepted");
  Json tags = Json::array();
  for (int i = 0; i < 33; ++i) tags.push_back("t" + std::to_string(i));
  EXPECT_NE(MarksRefusal({{"tags", tags}}), "accepted");
}

TEST(RunMarksTest, AreKeptInTheRunAndDamageIsNoMark) {
  const os::TempFolder folder;
  const std::string run = folder.path().string() + "/run";
  EXPECT_EQ(ReadRunMarks(run), RunMarks());
  const RunMarks marks{"Best", {"good", "small"}, "line\nline", true, false};
  ASSERT_TRUE(WriteRunMarks(run, marks).ok());
  EXPECT_EQ(ReadRunMarks(run), marks);
  std::ofstream(run + "/warden/marks.json") << R"({"note": "kept", "tags": 7, "later": {}})";
  EXPECT_EQ(ReadRunMarks(run).note, "kept");
  EXPECT_TRUE(ReadRunMarks(run).tags.empty());
  std::ofstream(run + "/warden/marks.json") << "[";
  EXPECT_EQ(ReadRunMarks(run), RunMarks());
}

}  // namespace
}  // namespace warden::trial
