#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/report/html_text.h"
#include "warden/report/report_document.h"

namespace warden::report {
namespace {

// The lines of a cell's text, each with its end, as notebooks keep them.
Json LinesOf(std::string_view text) {
  Json lines = Json::array();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(std::string(text.substr(0, end + 1)));
    text.remove_prefix(end + 1);
  }
  return lines;
}

class Cells {
 public:
  void Text(std::string_view text) { Add("markdown", text); }
  void Code(std::string_view code) {
    Json& cell = Add("code", code);
    cell["execution_count"] = nullptr;
    cell["outputs"] = Json::array();
  }
  Json Take() { return std::move(cells_); }

 private:
  Json& Add(std::string_view type, std::string_view source) {
    cells_.push_back({{"cell_type", type},
                      {"id", fmt::format("cell-{}", cells_.size())},
                      {"metadata", Json::object()},
                      {"source", LinesOf(source)}});
    return cells_.back();
  }

  Json cells_ = Json::array();
};

// Names in running text must not become links, formulas or tags.
std::string Markdown(std::string_view text) {
  std::string safe;
  for (const char c : Escaped(text)) {
    if (std::string_view("\\`*_{}[]()#+-.!|$~").find(c) != std::string_view::npos) safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

void AddSection(const Section& section, std::string_view marks, Cells* cells) {
  std::string text = fmt::format("{} {}\n", marks, Markdown(section.title));
  for (const Paragraph& paragraph : section.text) text += "\n" + Markdown(paragraph.text) + "\n";
  cells->Text(text);
}

std::string CodeOf(const Section& section) {
  const std::string draw =
      section.charts.empty() ? "" : fmt::format("report.draw(\"{}\")\n", section.id);
  return draw + fmt::format("report.section(\"{}\")", section.id);
}

bool HasTableOrChart(const Section& section) {
  return !section.tables.empty() || !section.charts.empty();
}

}  // namespace

std::string NotebookOf(const Report& report, const NotebookWords& words) {
  Cells cells;
  cells.Text(fmt::format(
      "# {}\n\n{}\n\nWritten at {}. The cells read `{}` next to this notebook and draw the charts "
      "again.\n",
      Markdown(report.title), Markdown(report.subtitle), Markdown(report.written_at), words.reads));
  cells.Code(
      fmt::format("from tensorwarden.report import {0}\n\nreport = {0}(\".\")", words.reader));
  cells.Text(words.again + "\n");
  cells.Code("RUN = None\nif RUN:\n    report = report.write(RUN)");
  std::string first = "## What to do first\n\n";
  int number = 0;
  for (const Advice& advice : report.first) {
    first +=
        fmt::format("{}. **{}**: {}\n", ++number, Markdown(advice.title), Markdown(advice.text));
  }
  for (const Paragraph& paragraph : report.no_advice)
    first += "\n" + Markdown(paragraph.text) + "\n";
  cells.Text(first);
  for (const Section& section : report.sections) {
    AddSection(section, "##", &cells);
    if (HasTableOrChart(section)) cells.Code(CodeOf(section));
    for (const Section& part : section.parts) {
      AddSection(part, "###", &cells);
      if (HasTableOrChart(part)) cells.Code(CodeOf(part));
    }
  }
  cells.Text("## Full report\n");
  cells.Code("report.show()");
  const Json notebook = {
      {"cells", cells.Take()},
      {"metadata",
       {{"kernelspec", {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
        {"language_info", {{"name", "python"}}}}},
      {"nbformat", 4},
      {"nbformat_minor", 5}};
  return notebook.dump(1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

}  // namespace warden::report
