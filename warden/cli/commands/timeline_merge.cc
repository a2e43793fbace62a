#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/text.h"
#include "warden/storage/store.h"
#include "warden/timeline/merge/merge.h"
#include "warden/view/series/host_clock_reader.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

struct TimelineMergeOptions {
  std::string run;
  std::string start;
  std::string end;
  std::string first_step;
  std::string last_step;
  std::vector<std::string> suffixes;
  std::string out;
  bool gzip = false;
  bool no_system = false;
  bool json = false;
};

Result<Step> ParseStep(const std::string& flag, const std::string& text) {
  const auto step = ParseInt(text);
  if (step && *step >= 0) return *step;
  return Status(Code::kInvalid,
                fmt::format("{} is '{}'; expected an integer of at least 0", flag, text));
}

Result<timeline::TimeRange> RangeOf(const TimelineMergeOptions& options, const std::string& folder,
                                    const timeline::HostClocks& clocks) {
  if (options.first_step.empty() && options.last_step.empty()) {
    return ParseTimeRange(options.start, options.end, folder);
  }
  const auto or_else = [](const std::string& text, const std::string& other) {
    return text.empty() ? other : text;
  };
  const auto first = ParseStep("--first-step", or_else(options.first_step, options.last_step));
  if (!first.ok()) return first.status();
  const auto last = ParseStep("--last-step", or_else(options.last_step, options.first_step));
  if (!last.ok()) return last.status();
  return timeline::TimeOfSteps(folder, first.value(), last.value(), /*last_included=*/true, clocks);
}

// By what the run has saved; it is in the folder with the profiler's, beside it, or above it.
timeline::HostClocks ClocksOf(const std::string& run, const std::string& folder) {
  timeline::HostClocks clocks = view::HostClocksOf(run, folder);
  if (!clocks.empty() || storage::IsRemote(run)) return clocks;
  const fs::path above = fs::absolute(folder).lexically_normal() / "..";
  for (const fs::path& place : {above, above / "debug-output"}) {
    clocks = view::HostClocksOf(place.lexically_normal(), folder);
    if (!clocks.empty()) break;
  }
  return clocks;
}

Json ClocksJson(const timeline::HostClocks& clocks) {
  Json list = Json::array();
  for (const timeline::HostClock& clock : clocks) {
    list.push_back(
        {{"host", clock.host}, {"moved_us", -clock.ahead_us}, {"error_us", clock.error_us}});
  }
  return list;
}

std::string NodeName() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("{}-{}", getpid(), host.data());
}

// The latest time in the names of the files.
int64_t LatestFile(const std::string& folder) {
  int64_t latest = 0;
  for (const auto& file : timeline::TraceFiles(folder, {}, timeline::kTimeBufferUs, false, {})) {
    latest = std::max(latest, file.time_us);
  }
  for (const auto& file : timeline::MetricFiles(folder, {}, timeline::kTimeBufferUs, true)) {
    latest = std::max(latest, file.time_us);
  }
  return latest;
}

// The default output file: next to the data, named as in the original.
std::string DefaultPath(const std::string& folder, const timeline::TimeRange& range, bool gzip) {
  const bool open = range.end_us == std::numeric_limits<int64_t>::max();
  const int64_t end_us = open ? LatestFile(folder) : range.end_us;
  return timeline::MergedTimelinePath(folder, end_us, NodeName()) + (gzip ? ".gz" : "");
}

Json ToJson(const timeline::MergeResult& result, const timeline::MergeOptions& options) {
  return {{"path", options.out},
          {"spans", result.spans},
          {"counters", result.counters},
          {"marks", result.marks},
          {"start_us", result.start_us},
          {"end_us", result.end_us},
          {"bytes_read", result.bytes_read},
          {"bytes_written", result.bytes_written},
          {"clocks", ClocksJson(options.clocks)},
          {"problems", result.problems}};
}

void Report(const timeline::MergeResult& result, const timeline::MergeOptions& options,
            Output* out) {
  out->Print("{}\n", Printable(options.out));
  out->Print("{}, {}, {} of idle GPUs, {:.3f} s of the run, {}\n",
             CountOf(static_cast<uint64_t>(result.spans), "span"),
             CountOf(static_cast<uint64_t>(result.counters), "metric"),
             CountOf(static_cast<uint64_t>(result.marks), "mark"),
             static_cast<double>(result.end_us - result.start_us) / 1e6,
             FormatBytes(result.bytes_written));
  for (const timeline::HostClock& clock : options.clocks) {
    out->Print("{}\n", Printable(timeline::WordsOf(clock)));
  }
  out->Print("Open it in https://ui.perfetto.dev or chrome://tracing.\n");
}

Result<int> Merge(const TimelineMergeOptions& options, Output* out) {
  if (options.out.empty() && storage::IsRemote(options.run)) {
    return Status(Code::kInvalid,
                  fmt::format("{} is in S3; give the output file with --out", options.run));
  }
  const auto data = FindProfilerData(options.run);
  if (!data.ok()) return data.status();
  const std::string& folder = data.value().folder;
  timeline::MergeOptions merge;
  merge.clocks = ClocksOf(options.run, folder);
  const auto range = RangeOf(options, folder, merge.clocks);
  if (!range.ok()) return range.status();
  merge.range = range.value();
  merge.suffixes = options.suffixes;
  merge.system = !options.no_system;
  merge.gzip = options.gzip;
  merge.out = options.out.empty() ? DefaultPath(folder, merge.range, merge.gzip) : options.out;
  merge.progress = [out](const timeline::MergeProgress& progress) {
    out->ShowProgress([&] {
      return fmt::format("{} of {}", FormatBytes(progress.done), FormatBytes(progress.all));
    });
  };
  const auto result = timeline::MergeTimelines(folder, merge);
  if (!result.ok()) return result.status();
  for (const std::string& problem : result.value().problems) out->Tell(Printable(problem));
  if (options.json) {
    out->PrintJson(ToJson(result.value(), merge));
  } else {
    Report(result.value(), merge, out);
  }
  return kDone;
}

void DefineTimelineMerge(Command* command) {
  auto options = std::make_shared<TimelineMergeOptions>();
  command->Positional("RUN", &options->run, "Folder of the run, or of its profiler data");
  command->Text("--start", &options->start, "Start time: seconds of the run, or since 1970");
  command->Text("--end", &options->end, "End time: seconds of the run, or since 1970");
  command->Text("--first-step", &options->first_step, "First step");
  command->Text("--last-step", &options->last_step, "Last step, included");
  command->Texts("--suffix", &options->suffixes,
                 "Only timelines with this end of the file name, for example pythontimeline.json");
  command->Text("--out", &options->out, "Output file (default: next to the profiler data)");
  command->Switch("--gzip", &options->gzip, "Compress the output");
  command->Switch("--no-system", &options->no_system, "Leave out the metrics of the machine");
  command->Json(&options->json);
  command->Exclusive({"--start", "--first-step"});
  command->Exclusive({"--start", "--last-step"});
  command->Exclusive({"--end", "--first-step"});
  command->Exclusive({"--end", "--last-step"});
  command->Footer(
      "Examples:\n"
      "  warden timeline merge runs/a\n"
      "  warden timeline merge runs/a --first-step 10 --last-step 12 --out steps.json\n"
      "  warden timeline merge runs/a --start 60 --end 90 --gzip");
  command->Runs(options, Merge);
}

}  // namespace

CommandEntry TimelineMerge() {
  return {"merge", "Merge all timelines and metrics into one trace file", DefineTimelineMerge};
}

}  // namespace warden::cli
