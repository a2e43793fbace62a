#include <fmt/format.h>

#include <chrono>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/trial/run_label.h"

namespace warden::cli {
namespace {

struct LabelOptions {
  std::string run;
  std::vector<std::string> label;
  std::string since;
  std::string note;
  bool remove = false;
  bool json = false;
};

Status CheckLabelOptions(const LabelOptions& options) {
  const bool bad = options.label == std::vector<std::string>{"bad"};
  const bool good = options.label == std::vector<std::string>{"good"};
  if (!options.label.empty() && !bad && !good) {
    return Status(Code::kInvalid, fmt::format("LABEL is '{}'; expected good or bad",
                                              fmt::join(options.label, " ")));
  }
  if (options.remove && !options.label.empty()) {
    return Status(Code::kInvalid, "--remove and a label exclude each other");
  }
  if (!options.since.empty() && !bad) {
    return Status(Code::kInvalid, "--since says where a fault begins; expected with 'bad'");
  }
  if (!options.note.empty() && options.label.empty()) {
    return Status(Code::kInvalid, "--note: expected with good or bad");
  }
  return Status();
}

// The step of --since, which the run must not have ended before.
Result<std::optional<Step>> SinceStep(const LabelOptions& options, const trial::Trial& trial) {
  if (options.since.empty()) return std::optional<Step>();
  const auto since = ParseInt(options.since);
  if (!since || *since < 0) {
    return Status(Code::kInvalid,
                  fmt::format("--since is '{}'; expected a non-negative step", options.since));
  }
  const std::vector<Step> steps = trial.Steps(Mode::kGlobal, /*include_incomplete=*/true);
  if (trial.loaded_all_steps() && !steps.empty() && *since > steps.back()) {
    return Status(Code::kInvalid, fmt::format("--since is {}; expected at most {}, the last step "
                                              "of the run",
                                              *since, steps.back()));
  }
  return std::optional<Step>(*since);
}

void PrintLabel(const LabelOptions& options, const std::optional<trial::RunLabel>& label,
                Output* out) {
  if (options.json) {
    Json json = label ? trial::ToJson(*label) : Json{{"label", nullptr}};
    json["run"] = options.run;
    out->PrintJson(json);
    return;
  }
  if (!label) {
    out->Print("{}: no label\n", Printable(options.run));
    return;
  }
  out->Print("{}: {}{}{}\n", Printable(options.run), label->name(),
             label->since ? fmt::format(" since step {}", *label->since) : "",
             label->note.empty() ? "" : fmt::format(" ({})", Printable(label->note)));
}

Result<int> LabelRun(const LabelOptions& options, Output* out) {
  if (Status status = CheckLabelOptions(options); !status.ok()) return status;
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  if (options.remove) {
    if (Status status = trial::RemoveRunLabel(options.run); !status.ok()) return status;
    PrintLabel(options, std::nullopt, out);
    return kDone;
  }
  if (options.label.empty()) {
    const auto label = trial::ReadRunLabel(options.run);
    if (!label.ok()) return label.status();
    PrintLabel(options, label.value(), out);
    return kDone;
  }
  const auto since = SinceStep(options, *run.value().trial);
  if (!since.ok()) return since.status();
  trial::RunLabel label;
  label.good = options.label.front() == "good";
  label.since = since.value();
  label.note = options.note;
  label.time =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (Status status = trial::WriteRunLabel(options.run, label); !status.ok()) return status;
  PrintLabel(options, label, out);
  return kDone;
}

void DefineLabel(Command* command) {
  auto options = std::make_shared<LabelOptions>();
  command->Run(&options->run);
  command->OptionalPositionals("LABEL", &options->label, "good or bad (default: show the label)");
  command->Text("--since", &options->since, "Step at which the fault of a bad run begins");
  command->Text("--note", &options->note, "What is wrong with it, or any other text");
  command->Switch("--remove", &options->remove, "Remove the label");
  command->Json(&options->json);
  command->Footer(
      "Labels say which runs are healthy: for 'warden backtest', 'warden baseline learn' and\n"
      "--baseline last-good.\n\n"
      "Examples:\n"
      "  warden label runs/a good\n"
      "  warden label runs/b bad --since 120 --note 'learning rate 30 times too high'\n"
      "  warden label runs/b");
  command->Runs(options, LabelRun);
}

}  // namespace

CommandEntry Label() { return {"label", "Say whether a run was good or bad", DefineLabel}; }

}  // namespace warden::cli
