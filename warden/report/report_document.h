#ifndef WARDEN_REPORT_REPORT_DOCUMENT_H_
#define WARDEN_REPORT_REPORT_DOCUMENT_H_

// A report as data: sections of text, tables and charts. BuildProfilerReport and BuildXgboostReport
// make it; ToHtml (a page), ToJson (the dashboard) and NotebookOf (a notebook) render the same
// value. Plain values without threads; texts may hold anything, renderers escape them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::report {

// Cells are text that is ready to be shown: format numbers with words.h.
struct Table {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // Each as long as columns; numbers as people read.
  std::vector<bool> numeric = {};              // By column: set to the right, sorted as numbers.
  size_t shown = 0;                            // Rows before "show all"; 0: all of them.
};

// What draws it: web/src/charts has a file for each.
enum class ChartKind : uint8_t { kPie, kBars, kHistogram, kBox, kLines, kHeatmap, kMatrix, kRoc };
// "pie", "bars", ...: the name of that file; constants.
std::string_view ChartKindName(ChartKind kind);

// Use the functions of charts.h to make one: they keep data, summary and table consistent.
struct Chart {
  ChartKind kind = ChartKind::kBars;
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string summary;  // One sentence for those who cannot see it.
  // What to draw; web/src/charts/<kind>.ts documents the members. Shared by copies of the chart;
  // null draws nothing.
  std::shared_ptr<const Json> data;
  Table table = {};  // The same as numbers, for those who want to read them.
};

// kGood and kWarning are marked as such, also for screen readers; kQuiet is secondary text.
enum class Tone : uint8_t { kPlain, kGood, kWarning, kQuiet };

// Plain text, without markup.
struct Paragraph {
  std::string text;
  Tone tone = Tone::kPlain;
};

// A part of the report with a heading.
struct Section {
  // Of a link, unique in the report: "step-durations". Letters, digits and '-' only.
  std::string id;
  std::string title;
  std::vector<Paragraph> text = {};
  std::vector<Table> tables = {};
  std::vector<Chart> charts = {};
  std::vector<Section> parts = {};  // One level below.
};

// What a reader should do, and why; the section has the evidence. The page shows advice before
// everything else.
struct Advice {
  std::string title;  // "Give the GPUs more work in each step".
  std::string text;
  std::string gain;     // "up to 43 % of the time"; empty where it is not known.
  std::string section;  // Its id.
};

// The whole page. An empty part is left out. Example:
//
//   Report report;
//   report.title = "Profiling report";
//   report.sections.push_back({.id = "steps", .title = "Step durations"});
//   report.sections.back().charts.push_back(HistogramChart("Steps", "milliseconds", histograms));
//   const std::string page = ToHtml(report);
struct Report {
  std::string title;
  std::string subtitle;
  bool still_running = false;        // The page then loads itself again every half minute.
  std::vector<Advice> first;         // Most urgent first.
  std::vector<Paragraph> no_advice;  // Said instead of it, or below it.
  std::vector<Section> sections;
  std::string written_at;                       // "2026-11-15 12:09:29 UTC".
  std::string values_at = "profiler-reports/";  // What has all values, next to the page.
};

// One page that needs nothing else: no network, no other file. Its policy allows no script but its
// own. Never fails; valid UTF-8 whatever the texts hold.
std::string ToHtml(const Report& report);

// The whole report as web/src/api/types.ts has it (ReportValue), for a page that draws it itself:
// the dashboard. Texts are copied as they are: dump it with a handler for bytes that are not UTF-8.
// Members of Chart::data are those that web/src/charts reads. In report_json.cc.
Json ToJson(const Report& report);
// One section, as in "sections" of the above: a panel of the dashboard.
Json ToJson(const Section& section);

// What a notebook says of itself. Copied into it as Markdown and code, so that these are constants
// of the program, never text of a user.
struct NotebookWords {
  std::string reads;   // The files beside it: "profiler-reports/*.json".
  std::string reader;  // The class in tensorwarden.report that reads them.
  std::string again;   // What setting the run's folder does.
};

// The report as a notebook (nbformat 4) whose cells read the values next to it and draw the charts
// again. Texts of the report are escaped; ids of sections go into code as they are. Pure; ASCII. In
// notebook.cc.
std::string NotebookOf(const Report& report, const NotebookWords& words);

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_DOCUMENT_H_
