#include "warden/cli/program/run_program.h"

#include <gtest/gtest.h>

#include <vector>

#include "warden/base/checkout_for_test.h"
#include "warden/cli/command.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/output_for_test.h"

namespace warden::cli {
namespace {

const std::string kRunFolder = SourceFile("tests/golden/pt_killed/trial");
const char* const kRun = kRunFolder.c_str();

int Warden(std::vector<const char*> arguments, CapturedOutput* out) {
  arguments.insert(arguments.begin(), "warden");
  return RunProgram(static_cast<int>(arguments.size()), arguments.data(), out->output());
}

TEST(ProgramTest, EveryCommandHasHelp) {
  for (const CommandGroup& group : AllCommands()) {
    for (const CommandEntry& entry : group.commands) {
      std::vector<const char*> arguments = {entry.name, "--help"};
      if (*group.name != '\0') arguments.insert(arguments.begin(), group.name);
      CapturedOutput out;
      EXPECT_EQ(Warden(arguments, &out), kDone);
      EXPECT_NE(out.results().find(entry.doc), std::string::npos) << entry.name;
      // A shell and TensorBoard print what they like, and agents are not for people.
      const std::string_view name = entry.name;
      const bool has_results =
          name != "exec" && name != "tensorboard" && std::string_view(group.name) != "agent";
      EXPECT_EQ(out.results().find("--json") != std::string::npos, has_results) << entry.name;
    }
  }
}

TEST(ProgramTest, ResultsAndExitCode) {
  CapturedOutput out;
  EXPECT_EQ(Warden({"trial", "steps", kRun}, &out), kDone);
  EXPECT_NE(out.results().find("MODE STEP"), std::string::npos);
  EXPECT_EQ(out.messages(), "");
}

TEST(ProgramTest, FailingIsNotMisuse) {
  CapturedOutput out;
  EXPECT_EQ(Warden({"trial", "show", kRun, "no such tensor"}, &out), kFailed);
  EXPECT_EQ(out.results(), "");
  EXPECT_TRUE(out.messages().starts_with("warden: no such tensor: ")) << out.messages();
}

TEST(ProgramTest, MisuseSaysWhereHelpIs) {
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{"trial", "steps"},
                                             {"trial", "steps", kRun, "--mode", "none"},
                                             {"trial", "steps", kRun, "--none"},
                                             {"trial", "show", kRun, "x", "--stats", "--values"},
                                             {"trial", "show", kRun, "x", "--full"}}) {
    CapturedOutput out;
    EXPECT_EQ(Warden(arguments, &out), kMisused);
    EXPECT_NE(out.messages().find("--help'"), std::string::npos) << out.messages();
  }
}

TEST(ProgramTest, UnknownCommandsAreNamed) {
  CapturedOutput out;
  EXPECT_EQ(Warden({"trial", "lss"}, &out), kMisused);
  EXPECT_NE(out.messages().find("unknown command 'lss'; expected one of: ls, "), std::string::npos);
}

TEST(ProgramTest, UnknownOptionsAreNamedWithTheNearest) {
  CapturedOutput out;
  EXPECT_EQ(Warden({"eval", kRun, "--verbos"}, &out), kMisused);
  EXPECT_EQ(Warden({"doctor", "--zzz=1"}, &out), kMisused);
  EXPECT_EQ(Warden({"--nothing-like-it"}, &out), kMisused);
  EXPECT_EQ(Warden({"doctor", "extra"}, &out), kMisused);
  EXPECT_NE(out.messages().find("unknown option '--verbos'; did you mean --verbose?"),
            std::string::npos);
  EXPECT_NE(out.messages().find("unknown option '--zzz'\n"), std::string::npos) << out.messages();
  EXPECT_NE(out.messages().find("unknown option '--nothing-like-it'"), std::string::npos);
  EXPECT_NE(out.messages().find("unexpected argument 'extra'"), std::string::npos);
}

}  // namespace
}  // namespace warden::cli
