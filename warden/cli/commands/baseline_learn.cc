#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/text.h"
#include "warden/rules/baseline/learn.h"
#include "warden/watch/baseline_choice.h"

namespace warden::cli {
namespace {

struct BaselineLearnOptions {
  std::vector<std::string> runs;
  std::string out = "baseline.json";
  bool json = false;
};

Result<int> LearnFromRuns(const BaselineLearnOptions& options, Output* out) {
  const auto runs = watch::GoodRunsAmong(options.runs);
  if (!runs.ok()) return runs.status();
  const auto baseline = rules::LearnBaseline(runs.value(), [&](size_t run) {
    out->ShowProgress([&] { return fmt::format("reading {}", Printable(runs.value()[run])); });
  });
  if (!baseline.ok()) return baseline.status();
  if (Status status = rules::WriteBaseline(options.out, baseline.value()); !status.ok()) {
    return status.WithContext("--out");
  }
  if (options.json) {
    out->PrintJson({{"file", options.out},
                    {"runs", runs.value()},
                    {"tensors", baseline.value().tensors.size()},
                    {"last_step", baseline.value().last_step}});
    return kDone;
  }
  out->Print("{}: normal ranges of {} over {} steps, from {}\n", Printable(options.out),
             CountOf(baseline.value().tensors.size(), "tensor"), baseline.value().last_step + 1,
             CountOf(runs.value().size(), "run"));
  return kDone;
}

void DefineBaselineLearn(Command* command) {
  auto options = std::make_shared<BaselineLearnOptions>();
  command->Positionals("RUN", &options->runs,
                       "Folders of good runs, or folders that contain runs labeled good");
  command->Text("--out", &options->out, "File to write (default: baseline.json)");
  command->Json(&options->json);
  command->Footer(
      "Learns what is normal in good runs of one script: a range for each tensor, statistic and\n"
      "phase of training. Two or more runs with different seeds show how much good runs differ.\n\n"
      "Examples:\n"
      "  warden baseline learn runs/a runs/b\n"
      "  warden baseline learn --out good.json runs/\n"
      "  warden run --baseline good.json -- python3 train.py");
  command->Runs(options, LearnFromRuns);
}

}  // namespace

CommandEntry BaselineLearn() {
  return {"learn", "Learn what is normal from good runs", DefineBaselineLearn};
}

}  // namespace warden::cli
