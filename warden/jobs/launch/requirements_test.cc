#include "warden/jobs/launch/requirements.h"

#include "warden/jobs/launch/launch_for_test.h"

namespace warden::jobs {
namespace {

class RequirementsTest : public testing::Test {
 protected:
  // Whether other jobs with the same file get the same packages.
  bool AreShared(const std::string& text) {
    WriteText(folder_.path() / "agent/opt/ml/code/requirements.txt", text);
    const HostLayout layout(folder_.File("agent"), HostLayout::View::kBox);
    JobEnvironment python;
    python.python = "python3";
    const auto found =
        RequirementsOf(layout, python, {{"PATH", "/usr/bin:/bin"}}, os::Box(), folder_.path());
    EXPECT_TRUE(found.has_value()) << text;
    return found && found->folder != found->draft;
  }

  os::TempFolder folder_;
};

TEST_F(RequirementsTest, NamesAndAddressesAreShared) {
  for (const char* text :
       {"tiny==1.0\n", "# all\r\ntiny[extra]>=1; python_version > '3'\r\nother", "a\n\n  b  # c\n",
        "--index-url https://host/simple\n--pre\ntiny", "tiny @ https://host/tiny-1.0.whl",
        "https://host/tiny-1.0.tar.gz\ntiny.zipper", "tiny --hash=sha256:00"}) {
    EXPECT_TRUE(AreShared(text)) << text;
  }
}

TEST_F(RequirementsTest, FilesOfTheSourceFolderAreNot) {
  for (const char* text :
       {"./tiny", "-r more.txt", "-e .", "tiny @ file:///opt/ml/code/tiny", "wheels/tiny-1.0.whl",
        // Files without a folder.
        "tiny-1.0-py3-none-any.whl", "other\ntiny-1.0.tar.gz\n", "Tiny.ZIP[extra]", "tiny.tgz; x",
        "tiny.whl # ours",
        // Options behind others.
        "--pre -r more.txt", "--index-url https://host/simple\t--find-links wheels"}) {
    EXPECT_FALSE(AreShared(text)) << text;
  }
}

TEST_F(RequirementsTest, LinesEndAsForPip) {
  for (const char* text : {"tiny\r-e .", "# all\x0b-r more.txt", "tiny\x0c-e .", "#\x1e-e .",
                           "tiny\n#\xC2\x85-e .", "#\xE2\x80\xA8-e .", "#\xE2\x80\xA9-e ."}) {
    EXPECT_FALSE(AreShared(text)) << text;
  }
}

TEST(WrittenRequirementsTest, ComeBackAsTheyWereRead) {
  const Json written = {
      {"folder", "/a"},
      {"draft", "/a"},
      {"words", Json::array({"x"})},
      {"box", {{"hidden", Json::array()}, {"shown", Json::array()}, {"processes", -1}}}};
  const auto found = RequirementsFromJson(written);
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found.value().box->processes, 0U);
  EXPECT_EQ(ToJson(RequirementsFromJson(ToJson(found.value())).value()), ToJson(found.value()));
}

}  // namespace
}  // namespace warden::jobs
