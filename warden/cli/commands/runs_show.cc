#include <fmt/format.h>
#include <fmt/ranges.h>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/dashboard/site/places.h"
#include "warden/storage/store.h"
#include "warden/trial/run_marks.h"
#include "warden/trial/run_origin.h"
#include "warden/trial/run_record.h"
#include "warden/trial/run_scalars.h"

namespace warden::cli {
namespace {

struct RunsShowOptions {
  std::string run;
  bool diff = false;
  bool json = false;
};

// Of a run's folder.
struct ShownRun {
  Json marks;
  Json origin;
  std::map<std::string, std::string> parameters;
  trial::RunScalars scalars;
};

Result<ShownRun> LookAtRun(const std::string& run) {
  const auto places = dashboard::RunIn(run);
  if (!places) return Status(Code::kNotFound, fmt::format("no run in {}", run));
  const auto store = storage::OpenStore(places->tensors);
  if (!store.ok()) return store.status();
  auto scalars = trial::ReadRunScalars(*store.value(), {});
  if (!scalars.ok()) return scalars.status();
  ShownRun shown{trial::ToJson(trial::ReadRunMarks(places->tensors)),
                 trial::ReadRunOrigin(places->tensors),
                 {},
                 std::move(scalars.value())};
  const auto record = trial::ReadRunRecord(places->tensors);
  shown.parameters = shown.scalars.AllParameters(record ? record->HyperParameters()
                                                        : std::map<std::string, std::string>());
  return shown;
}

Json ToJson(const RunsShowOptions& options, const ShownRun& shown) {
  Json scalars = Json::object();
  for (const auto& [name, one] : shown.scalars.scalars) {
    Json& scalar = scalars[name];
    scalar = {{"last", JsonNumber(one.last)}, {"last_step", one.last_step}};
    if (!one.min || !one.max) continue;
    scalar.update({{"min", one.min->first},
                   {"min_step", one.min->second},
                   {"max", one.max->first},
                   {"max_step", one.max->second}});
  }
  Json json{{"run", options.run},
            {"marks", shown.marks},
            {"hyper_parameters", Json(shown.parameters)},
            {"scalars", std::move(scalars)}};
  json.update(shown.origin);
  return json;
}

std::string WordsOf(const Json& list) {
  std::vector<std::string> words;
  for (const Json& word : list) words.push_back(TextOf(&word));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string GitText(const Json& git) {
  const std::string branch = TextOf(MemberOf(git, "branch"));
  return fmt::format("{}{}{}", TextOf(MemberOf(git, "commit")),
                     branch.empty() ? "" : " on " + branch,
                     IsTrue(MemberOf(git, "dirty")) ? ", with changes (--diff)" : "");
}

std::string MachineText(const Json& machine) {
  std::string text =
      fmt::format("{}, {}, {} cores, {}", TextOf(MemberOf(machine, "host")),
                  TextOf(MemberOf(machine, "cpu")), IntegerOf(MemberOf(machine, "cores")),
                  FormatBytes(static_cast<uint64_t>(IntegerOf(MemberOf(machine, "memory")))));
  if (const Json* gpus = MemberOf(machine, "gpus"); gpus != nullptr && gpus->is_array()) {
    for (const Json& gpu : *gpus) text += ", " + TextOf(MemberOf(gpu, "name"));
  }
  return text;
}

void PrintFacts(const ShownRun& shown, Output* out) {
  Table facts({{"FACT"}, {"VALUE", Align::kLeft, /*shrinks=*/true}});
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) facts.Add({name, text});
  };
  add("name", TextOf(MemberOf(shown.marks, "display_name")));
  add("tags", WordsOf(shown.marks["tags"]));
  add("note", TextOf(MemberOf(shown.marks, "note")));
  if (const Json* command = MemberOf(shown.origin, "command")) add("command", WordsOf(*command));
  add("directory", TextOf(MemberOf(shown.origin, "directory")));
  if (const Json* git = MemberOf(shown.origin, "git")) add("git", GitText(*git));
  if (const Json* python = MemberOf(shown.origin, "python")) {
    const Json* packages = MemberOf(*python, "packages");
    add("python", fmt::format("{}, {}", TextOf(MemberOf(*python, "version")),
                              CountOf(packages == nullptr ? 0 : packages->size(), "package")));
  }
  if (const Json* machine = MemberOf(shown.origin, "machine"))
    add("machine", MachineText(*machine));
  for (const auto& [name, text] : shown.parameters) facts.Add({name, text});
  if (!facts.empty()) facts.Print(out);
}

void PrintScalars(const ShownRun& shown, Output* out) {
  Table table({{"SCALAR", Align::kLeft, /*shrinks=*/true},
               {"LAST", Align::kRight},
               {"MIN", Align::kRight},
               {"AT STEP", Align::kRight},
               {"MAX", Align::kRight},
               {"AT STEP", Align::kRight}});
  const auto number = [](const auto& one) { return one ? FormatNumber(one->first) : "-"; };
  const auto step = [](const auto& one) { return one ? std::to_string(one->second) : "-"; };
  for (const auto& [name, one] : shown.scalars.scalars) {
    table.Add({name, FormatNumber(one.last), number(one.min), step(one.min), number(one.max),
               step(one.max)});
  }
  if (table.empty()) return;
  out->Write("\n");
  table.Print(out);
}

Result<int> ShowOneRun(const RunsShowOptions& options, Output* out) {
  const auto shown = LookAtRun(options.run);
  if (!shown.ok()) return shown.status();
  if (options.json) {
    out->PrintJson(ToJson(options, shown.value()));
    return kDone;
  }
  if (options.diff) {
    const Json* diff = MemberOf(shown.value().origin, "git", "diff");
    out->Write(TextOf(diff));
    return kDone;
  }
  PrintFacts(shown.value(), out);
  PrintScalars(shown.value(), out);
  return kDone;
}

void DefineRunsShow(Command* command) {
  auto options = std::make_shared<RunsShowOptions>();
  command->Run(&options->run);
  command->Switch("--diff", &options->diff,
                  "Print the changes against the git commit, as a patch: pipe it to 'git apply'");
  command->Json(&options->json);
  command->Footer(
      "Shows what the run was made with, its marks, and the last, smallest and largest value of\n"
      "each scalar. --json has also the environment and the Python packages.\n\n"
      "Examples:\n  warden runs show runs/a\n  warden runs show runs/a --diff");
  command->Runs(options, ShowOneRun);
}

}  // namespace

CommandEntry RunsShow() {
  return {"show", "Show what a run was made with, and its scalars", DefineRunsShow};
}

}  // namespace warden::cli
