#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/step_path.h"

namespace warden::cli {
namespace {

using view::TimelineSnapshot;

struct TimelinePathOptions {
  std::string run;
  std::optional<Step> step;
  std::string mode;
  std::string node;
  std::string top = "40";
  bool json = false;
};

void PrintPath(const Json& path, Output* out) {
  out->Print("Step {} ({}) of {}: {}\n\n", path["step"].get<int64_t>(),
             Printable(path["mode"].get<std::string>()), Printable(path["node"].get<std::string>()),
             FormatDuration(path["duration"].get<double>()));
  Table table({{"TIME", Align::kRight},
               {"SHARE", Align::kRight},
               {"KIND"},
               {"NAME", Align::kLeft, /*shrinks=*/true},
               {"THEN"}});
  for (const Json& piece : path["pieces"]) {
    const auto count = piece["count"].get<int64_t>();
    const std::string more = count > 1 ? fmt::format(" and {} more", count - 1) : "";
    const auto us = piece["duration"].get<double>();
    table.Add({FormatDuration(us), FormatShare(us, path["duration"].get<double>()),
               piece["kind"].get<std::string>(), piece["name"].get<std::string>() + more,
               piece["then"].get<std::string>()});
  }
  table.Print(out);
  out->Print("\n");
  for (const Json& kind : path["kinds"]) {
    out->Print("{:>8}  {}\n", FormatShare(kind["share"].get<double>(), 1),
               kind["kind"].get<std::string>());
  }
  for (const Json& note : path["notes"]) out->Tell(note.get<std::string>());
}

void PrintMedians(const Json& waits, Output* out) {
  out->Print("{} of {} {} steps of {}, median duration {}\n\n", waits["looked_at"].get<int64_t>(),
             waits["steps"].get<int64_t>(), Printable(waits["mode"].get<std::string>()),
             Printable(waits["node"].get<std::string>()),
             FormatDuration(waits["duration"].get<double>()));
  Table table({{"MEDIAN", Align::kRight},
               {"SHARE", Align::kRight},
               {"KIND"},
               {"NAME", Align::kLeft, /*shrinks=*/true}});
  const auto add = [&](const Json& row, const std::string& name) {
    table.Add({FormatDuration(row["median"].get<double>()),
               FormatShare(row["share"].get<double>(), 1), row["kind"].get<std::string>(), name});
  };
  for (const Json& kind : waits["kinds"]) add(kind, "(all)");
  for (const Json& name : waits["names"]) add(name, name["name"].get<std::string>());
  table.Print(out);
  for (const Json& note : waits["notes"]) {
    out->Tell(fmt::format("{}: {}", CountOf(note["steps"].get<uint64_t>(), "step"),
                          note["text"].get<std::string>()));
  }
}

Result<int> FindPath(const TimelinePathOptions& options, Output* out) {
  const auto top = ParseTop(options.top);
  if (!top.ok()) return top.status();
  const auto data = FindProfilerData(options.run);
  if (!data.ok()) return data.status();
  const std::string& folder = data.value().folder;
  const view::RunTimeline timeline(folder);
  const auto snapshot = timeline.WaitUntilRead();
  for (const std::string& problem : snapshot->problems) out->Tell(Printable(problem));
  const view::StepQuery query{options.step, options.mode, options.node};
  const auto json = options.step ? PathJson(*snapshot, query, top.value())
                                 : WaitsJson(*snapshot, query, top.value());
  if (!json.ok()) {
    return Status(json.status().code(),
                  fmt::format("{}: {}", options.run, json.status().message()));
  }
  if (options.json) {
    out->PrintJson(json.value());
  } else if (options.step) {
    PrintPath(json.value(), out);
  } else {
    PrintMedians(json.value(), out);
  }
  return kDone;
}

void DefineTimelinePath(Command* command) {
  auto options = std::make_shared<TimelinePathOptions>();
  command->Positional("RUN", &options->run, "Folder of the run, or of its profiler data");
  command->AtStep(&options->step, "The critical path of this step (default: medians over steps)");
  command->Text("--mode", &options->mode,
                "Steps of this mode: TRAIN, EVAL, PREDICT, or profiler for PyTorch's own traces");
  command->Text("--process", &options->node,
                "The process, as the message about a missing step names it: algo-1-88");
  command->Text("--top", &options->top,
                "Number of pieces, the longest first; others are put together (default: 40)");
  command->Json(&options->json);
  command->Footer(
      "The path is found from the end of a step: along its thread, from a wait to what it waited\n"
      "for, from a kernel to the one before it or to what launched it. What the timeline does not\n"
      "contain is listed below the table.\n\n"
      "Examples:\n"
      "  warden timeline path runs/a\n"
      "  warden timeline path runs/a --step 10\n"
      "  warden timeline path runs/a --step 10 --mode EVAL --json");
  command->Runs(options, FindPath);
}

}  // namespace

CommandEntry TimelinePath() {
  return {"path", "Show what steps wait for, or the critical path of one", DefineTimelinePath};
}

}  // namespace warden::cli
