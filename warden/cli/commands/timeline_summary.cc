#include "warden/timeline/summary/timeline_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

using timeline::DurationStats;
using timeline::StepRow;
using timeline::SummaryRow;

struct TimelineSummaryOptions {
  std::string run;
  std::string by = "phase";
  std::string top = "20";
  std::string start;
  std::string end;
  std::vector<std::string> suffixes;
  bool json = false;
};

Json ToJson(const DurationStats& stats) {
  return {{"count", stats.count},     {"total_us", stats.total_us}, {"self_us", stats.self_us},
          {"mean_us", stats.mean_us}, {"p50_us", stats.p50_us},     {"p95_us", stats.p95_us},
          {"max_us", stats.max_us}};
}

Json RowsToJson(const timeline::TimelineSummary& summary, const std::vector<SummaryRow>& rows,
                size_t top, bool with_name) {
  Json list = Json::array();
  for (size_t i = 0; i < std::min(top, rows.size()); ++i) {
    Json row = {{"phase", summary.names.Text(rows[i].phase)}};
    if (with_name) row["name"] = summary.names.Text(rows[i].name);
    row.update(ToJson(rows[i].durations));
    list.push_back(std::move(row));
  }
  return list;
}

Json ToJson(const timeline::StepShares& us) {
  return {{"forward_us", us.forward},
          {"backward_us", us.backward},
          {"optimizer_us", us.optimizer},
          {"data_loading_us", us.data_loading},
          {"other_us", us.other}};
}

Json StepsToJson(const timeline::TimelineSummary& summary) {
  Json list = Json::array();
  for (const StepRow& row : summary.steps) {
    Json json = {{"mode", row.mode},
                 {"node", summary.names.Text(row.node)},
                 {"first_step", row.first_step},
                 {"last_step", row.last_step}};
    json.update(ToJson(row.durations));
    json.erase("self_us");
    json["mean"] = ToJson(row.mean);
    list.push_back(std::move(json));
  }
  return list;
}

void PrintSpans(const timeline::TimelineSummary& summary, const std::vector<SummaryRow>& rows,
                size_t top, bool with_name, Output* out) {
  std::vector<Column> columns = {{"PHASE"}};
  if (with_name) columns.push_back({"NAME", Align::kLeft, /*shrinks=*/true});
  for (const char* title : {"COUNT", "TOTAL", "SELF", "MEAN", "P50", "P95", "MAX"}) {
    columns.push_back({title, Align::kRight});
  }
  Table table(std::move(columns));
  for (size_t i = 0; i < std::min(top, rows.size()); ++i) {
    const DurationStats& stats = rows[i].durations;
    std::vector<Cell> cells = {summary.names.Text(rows[i].phase)};
    if (with_name) cells.emplace_back(summary.names.Text(rows[i].name));
    for (const std::string& cell :
         {std::to_string(stats.count), FormatDuration(static_cast<double>(stats.total_us)),
          FormatDuration(static_cast<double>(stats.self_us)), FormatDuration(stats.mean_us),
          FormatDuration(stats.p50_us), FormatDuration(stats.p95_us),
          FormatDuration(static_cast<double>(stats.max_us))}) {
      cells.emplace_back(cell);
    }
    table.Add(std::move(cells));
  }
  table.Print(out);
  if (rows.size() > top) {
    out->Print("{} more rows; use --top to show them\n", rows.size() - top);
  }
}

void PrintSteps(const timeline::TimelineSummary& summary, Output* out) {
  Table table({{"MODE"},
               {"NODE"},
               {"STEPS", Align::kRight},
               {"MEAN", Align::kRight},
               {"P50", Align::kRight},
               {"P95", Align::kRight},
               {"MAX", Align::kRight},
               {"FORWARD", Align::kRight},
               {"BACKWARD", Align::kRight},
               {"OPTIMIZER", Align::kRight},
               {"DATA", Align::kRight},
               {"OTHER", Align::kRight}});
  for (const StepRow& row : summary.steps) {
    const double mean = row.durations.mean_us;
    table.Add({row.mode, summary.names.Text(row.node), std::to_string(row.durations.count),
               FormatDuration(mean), FormatDuration(row.durations.p50_us),
               FormatDuration(row.durations.p95_us),
               FormatDuration(static_cast<double>(row.durations.max_us)),
               FormatShare(row.mean.forward, mean), FormatShare(row.mean.backward, mean),
               FormatShare(row.mean.optimizer, mean), FormatShare(row.mean.data_loading, mean),
               FormatShare(row.mean.other, mean)});
  }
  table.Print(out);
}

Result<timeline::TimelineSummary> Read(const TimelineSummaryOptions& options) {
  std::error_code error;
  std::string path = options.run;
  timeline::SummaryOptions summary;
  summary.suffixes = options.suffixes;
  ProfilerData data;
  if (!std::filesystem::is_regular_file(path, error)) {
    auto found = FindProfilerData(options.run);
    if (!found.ok()) return found.status();
    data = std::move(found).value();
    path = data.folder;
    const auto range = ParseTimeRange(options.start, options.end, path);
    if (!range.ok()) return range.status();
    summary.range = range.value();
  }
  return timeline::SummariseTimelines(path, summary);
}

Result<int> Summarise(const TimelineSummaryOptions& options, Output* out) {
  const auto top = ParseTop(options.top);
  if (!top.ok()) return top.status();
  const size_t rows = top.value();
  const auto read = Read(options);
  if (!read.ok()) return read.status();
  const timeline::TimelineSummary& summary = read.value();
  for (const std::string& problem : summary.problems) out->Tell(Printable(problem));
  const bool by_operator = options.by == "operator";
  if (options.json) {
    Json json = {
        {"spans", summary.spans}, {"start_us", summary.start_us}, {"end_us", summary.end_us}};
    if (options.by == "step") {
      json["steps"] = StepsToJson(summary);
    } else {
      json[by_operator ? "operators" : "phases"] =
          RowsToJson(summary, by_operator ? summary.operators : summary.phases, rows, by_operator);
    }
    out->PrintJson(json);
    return kDone;
  }
  if (summary.spans == 0) {
    return Status(Code::kNotFound, fmt::format("{}: no spans in this time range", options.run));
  }
  if (options.by == "step" && summary.steps.empty()) {
    return Status(Code::kNotFound, fmt::format("{}: no steps in the timelines", options.run));
  }
  if (options.by == "step") {
    PrintSteps(summary, out);
  } else {
    PrintSpans(summary, by_operator ? summary.operators : summary.phases, rows, by_operator, out);
  }
  return kDone;
}

void DefineTimelineSummary(Command* command) {
  auto options = std::make_shared<TimelineSummaryOptions>();
  command->Positional("RUN", &options->run,
                      "Folder of the run or of its profiler data, or a trace file");
  command->Choice("--by", &options->by, {"phase", "operator", "step"}, "Group by");
  command->Text("--top", &options->top, "Number of rows, longest total time first (default: 20)");
  command->Text("--start", &options->start, "Start time: seconds of the run, or since 1970");
  command->Text("--end", &options->end, "End time: seconds of the run, or since 1970");
  command->Texts("--suffix", &options->suffixes,
                 "Only timelines with this end of the file name, for example pythontimeline.json");
  command->Json(&options->json);
  command->Footer(
      "SELF is the time of spans minus that of the spans inside them on the same thread. With\n"
      "--by step the table shows the share of each phase in the step time.\n\n"
      "Examples:\n"
      "  warden timeline summary runs/a --by step\n"
      "  warden timeline summary runs/a --by operator --top 10\n"
      "  warden timeline summary trace.json.gz --by operator");
  command->Runs(options, Summarise);
}

}  // namespace

CommandEntry TimelineSummary() {
  return {"summary", "Show where the time of a run went", DefineTimelineSummary};
}

}  // namespace warden::cli
