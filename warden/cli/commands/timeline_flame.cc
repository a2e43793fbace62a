#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/view/timeline/flame.h"
#include "warden/view/timeline/run_timeline.h"

namespace warden::cli {
namespace {

using view::Flame;
using view::FlameNode;
using view::TimelineSnapshot;

struct TimelineFlameOptions {
  std::string run;
  std::string by = "thread";
  std::string top = "60";
  std::string start;
  std::string end;
  bool collapsed = false;
  bool json = false;
};

view::SpanWindow WindowOf(const timeline::TimeRange& range, const TimelineSnapshot& snapshot) {
  const int64_t first = std::max(range.start_us, snapshot.start_ns / 1000) * 1000;
  const int64_t last = std::min(range.end_us, snapshot.end_ns / 1000) * 1000;
  return {first, std::max(last, first + 1)};
}

void PrintNodes(const TimelineSnapshot& snapshot, const Flame& flame, Output* out) {
  Table table({{"TOTAL", Align::kRight},
               {"SHARE", Align::kRight},
               {"SELF", Align::kRight},
               {"COUNT", Align::kRight},
               {"NAME", Align::kLeft, /*shrinks=*/true}});
  const double whole = flame.nodes.front().total_ns;
  std::vector<size_t> depths;
  for (const FlameNode& node : flame.nodes) {
    depths.push_back(depths.empty() ? 0 : depths[node.parent] + 1);
    table.Add({FormatDuration(node.total_ns / 1e3), FormatShare(node.total_ns, whole),
               FormatDuration(node.self_ns / 1e3), std::to_string(node.count),
               std::string(2 * depths.back(), ' ') + flame.Name(snapshot, node)});
  }
  table.Print(out);
}

Result<int> PrintFlame(const TimelineFlameOptions& options, Output* out) {
  const auto top = ParseTop(options.top);
  if (!top.ok()) return top.status();
  const auto data = FindProfilerData(options.run);
  if (!data.ok()) return data.status();
  const std::string& folder = data.value().folder;
  const auto range = ParseTimeRange(options.start, options.end, folder);
  if (!range.ok()) return range.status();
  const view::RunTimeline timeline(folder);
  const auto snapshot = timeline.WaitUntilRead();
  for (const std::string& problem : snapshot->problems) out->Tell(Printable(problem));
  view::FlameQuery query{WindowOf(range.value(), *snapshot)};
  query.most = top.value();
  if (options.by == "process") query.by = view::FlameBy::kProcess;
  if (options.by == "all") query.by = view::FlameBy::kAll;
  if (options.json) {
    out->PrintJson(FlameJson(*snapshot, query));
    return kDone;
  }
  if (options.collapsed) query.most = SIZE_MAX;
  const Flame flame = FlameOf(*snapshot, query);
  if (flame.nodes.size() == 1) {
    return Status(Code::kNotFound, fmt::format("{}: no spans in this time range", options.run));
  }
  if (options.collapsed) {
    out->Write(CollapsedStacks(*snapshot, flame));
  } else {
    PrintNodes(*snapshot, flame, out);
  }
  return kDone;
}

void DefineTimelineFlame(Command* command) {
  auto options = std::make_shared<TimelineFlameOptions>();
  command->Positional("RUN", &options->run, "Folder of the run, or of its profiler data");
  command->Choice("--by", &options->by, {"thread", "process", "all"},
                  "Where stacks are kept apart");
  command->Text("--top", &options->top,
                "Number of nodes, the largest first; others are put together (default: 60)");
  command->Text("--start", &options->start, "Start time: seconds of the run, or since 1970");
  command->Text("--end", &options->end, "End time: seconds of the run, or since 1970");
  command->Switch("--collapsed", &options->collapsed,
                  "Print all stacks as lines for flame graph tools: names, then self time in us");
  command->Json(&options->json);
  command->Exclusive({"--collapsed", "--json"});
  command->Footer(
      "Spans of a thread are stacked by time: those with the same name within the same spans are\n"
      "one node. SELF is the time of a node minus that of the nodes in it.\n\n"
      "Examples:\n"
      "  warden timeline flame runs/a --top 30\n"
      "  warden timeline flame runs/a --by all --start 10 --end 20 --json\n"
      "  warden timeline flame runs/a --collapsed > stacks.txt");
  command->Runs(options, PrintFlame);
}

}  // namespace

CommandEntry TimelineFlame() {
  return {"flame", "Add up the stacks of spans, as a flame graph does", DefineTimelineFlame};
}

}  // namespace warden::cli
