#include <gtest/gtest.h>

#include <set>

#include "warden/base/json.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_for_test.h"

namespace warden::report {
namespace {

TEST(ProfilerNotebookTest, HasTheCellsOfEverySection) {
  const auto notebook = ParseJson(ToNotebook(FullInputs()));
  ASSERT_TRUE(notebook.ok());
  EXPECT_EQ(notebook.value()["nbformat"], 4);
  std::string code;
  std::set<std::string> ids;
  for (const Json& cell : notebook.value()["cells"]) {
    EXPECT_TRUE(ids.insert(cell["id"].get<std::string>()).second);
    if (cell["cell_type"] != "code") continue;
    for (const Json& line : cell["source"]) code += line.get<std::string>();
    code += "\n";
  }
  for (const Section& section : BuildProfilerReport(FullInputs()).sections) {
    EXPECT_NE(code.find("report.section(\"" + section.id + "\")"), std::string::npos) << section.id;
  }
  EXPECT_NE(code.find("from tensorwarden.report import ProfilerReport"), std::string::npos);
}

TEST(ProfilerNotebookTest, NamesStayText) {
  const auto notebook = ParseJson(ToNotebook(HostileInputs()));
  ASSERT_TRUE(notebook.ok());
  for (const Json& cell : notebook.value()["cells"]) {
    for (const Json& line : cell["source"]) {
      EXPECT_EQ(line.get<std::string>().find("<script"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace warden::report
