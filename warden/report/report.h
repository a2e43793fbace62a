#ifndef WARDEN_REPORT_REPORT_H_
#define WARDEN_REPORT_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::report {

// Data first; HTML, JSON and later the dashboard render the same value.

struct Table {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // Each as long as columns; numbers as people read.
  std::vector<bool> numeric = {};              // By column: set to the right, sorted as numbers.
  size_t shown = 0;                            // Rows before "show all"; 0: all of them.
};

enum class ChartKind : uint8_t { kPie, kBars, kHistogram, kBox, kLines, kHeatmap, kMatrix, kRoc };
std::string_view ChartKindName(ChartKind kind);

struct Chart {
  ChartKind kind = ChartKind::kBars;
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string summary;  // One sentence for those who cannot see it.
  // What to draw; web/src/charts/<kind>.ts documents the members.
  std::shared_ptr<const Json> data;
  Table table = {};  // The same as figures, for those who want to read them.
};

enum class Tone : uint8_t { kPlain, kGood, kWarning, kQuiet };

struct Paragraph {
  std::string text;
  Tone tone = Tone::kPlain;
};

struct Section {
  std::string id;  // Of a link: "step-durations".
  std::string title;
  std::vector<Paragraph> text = {};
  std::vector<Table> tables = {};
  std::vector<Chart> charts = {};
  std::vector<Section> parts = {};  // One level below.
};

// What a reader should do, and why; the section has the evidence.
struct Advice {
  std::string title;  // "Give the GPUs more work in each step".
  std::string text;
  std::string gain;     // "up to 43 % of the time"; empty where there is no figure.
  std::string section;  // Its id.
};

struct Report {
  std::string title;
  std::string subtitle;
  bool still_running = false;        // The page then loads itself again every half minute.
  std::vector<Advice> first;         // Most urgent first.
  std::vector<Paragraph> no_advice;  // Said instead of it, or below it.
  std::vector<Section> sections;
  std::string written_at;                     // "2026-11-15 12:09:29 UTC".
  std::string figures = "profiler-reports/";  // What has every figure, beside the page.
};

// One page that needs nothing else: no network, no other file.
std::string ToHtml(const Report& report);

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_H_
