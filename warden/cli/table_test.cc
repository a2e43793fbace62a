#include "warden/cli/table.h"

#include <gtest/gtest.h>

#include "warden/cli/output_for_test.h"

namespace warden::cli {
namespace {

Table Example() {
  Table table({{"NAME"}, {"COUNT", Align::kRight}, {"NOTES", Align::kLeft, /*shrinks=*/true}});
  table.Add({"größe", "7", "short"});
  table.Add({"b", "12345", Cell("much longer than there is room for on it", Style::kBad)});
  return table;
}

std::string Printed(const Terminal& terminal) {
  CapturedOutput out(terminal);
  Example().Print(out.output());
  return out.results();
}

TEST(TableTest, AlignsWithoutBlanksAtTheEnds) {
  EXPECT_EQ(Printed({}),
            "NAME   COUNT  NOTES\n"
            "größe      7  short\n"
            "b      12345  much longer than there is room for on it\n");
}

TEST(TableTest, ShrinksOnlyOnATerminal) {
  Terminal terminal;
  terminal.width = 30;
  EXPECT_NE(Printed(terminal).find("room for on it"), std::string::npos);
  terminal.interactive = true;
  EXPECT_NE(Printed(terminal).find("12345  much longer tha~\n"), std::string::npos);
  terminal.utf8 = true;
  EXPECT_NE(Printed(terminal).find("12345  much longer tha…\n"), std::string::npos);
}

TEST(TableTest, ColoursOnlyWhereThereAreColours) {
  EXPECT_EQ(Printed({}).find('\x1b'), std::string::npos);
  Terminal terminal;
  terminal.colors = true;
  const std::string text = Printed(terminal);
  EXPECT_NE(text.find("\x1b[31mmuch longer"), std::string::npos);
  EXPECT_NE(text.find("\x1b[1mNAME\x1b[0m"), std::string::npos);
}

TEST(TableTest, CellsCannotControlTheTerminal) {
  CapturedOutput out;
  Table table({{"NAME"}});
  table.Add({std::string("evil\x1b[2J\n")});
  table.Print(out.output());
  EXPECT_EQ(out.results(), "NAME\nevil\\x1b[2J\\x0a\n");
}

TEST(OutputTest, MessagesStandApart) {
  CapturedOutput out;
  out.output()->Print("{}\n", 1);
  out.output()->Tell("something");
  EXPECT_EQ(out.results(), "1\n");
  EXPECT_EQ(out.messages(), "warden: something\n");
}

TEST(OutputTest, TellsThatItCouldNotWrite) {
  Output out(-1, STDERR_FILENO, {});
  out.Write("lost");
  EXPECT_EQ(out.Flush().code(), Code::kIo);
  EXPECT_EQ(out.Flush().code(), Code::kIo);
}

}  // namespace
}  // namespace warden::cli
