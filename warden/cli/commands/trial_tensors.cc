#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "warden/base/json.h"
#include "warden/base/reduction.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

struct TrialTensorsOptions {
  std::string run;
  std::string collection;
  std::vector<std::string> regex;
  std::optional<Step> step;
  Mode mode = Mode::kGlobal;
  std::string worker;
  bool json = false;
};

struct TensorRow {
  std::string name;
  std::vector<std::string> collections;
  std::optional<DType> dtype;
  std::optional<std::vector<int64_t>> shape;
  std::map<Mode, std::vector<Step>> steps;
  std::set<std::string> workers;
  std::set<Reduction> reductions;
};

// At most this many steps of a tensor are looked at for its type, shape, workers and reductions:
// they hardly change, and a run may have very many steps or lost most of its files.
constexpr size_t kMostLooks = 16;

// The steps themselves if they are few, else some of them, evenly spread, the first and the last
// among them.
std::vector<Step> Spread(const std::vector<Step>& steps) {
  if (steps.size() <= kMostLooks) return steps;
  std::vector<Step> some;
  for (size_t i = 0; i < kMostLooks; ++i) {
    some.push_back(steps[i * (steps.size() - 1) / (kMostLooks - 1)]);
  }
  return some;
}

// Adds what was saved of the tensor at a step.
void Look(const trial::Trial& trial, Step step, const std::string& worker, TensorRow* row) {
  if (const auto workers = trial.TensorWorkers(row->name, step); workers.ok()) {
    row->workers.insert(workers.value().begin(), workers.value().end());
  }
  const auto reductions = trial.SavedReductions(row->name, step, Mode::kGlobal, worker);
  if (reductions.ok()) row->reductions.insert(reductions.value().begin(), reductions.value().end());
  if (row->dtype) return;
  auto value = trial.Value(row->name, step, Mode::kGlobal, worker);
  if (value.ok()) {
    row->dtype = value.value().dtype;
    row->shape = std::move(value.value().shape);
  } else if (!row->shape) {
    auto shape = trial.Shape(row->name, step, Mode::kGlobal, worker);
    if (shape.ok()) row->shape = std::move(shape.value());
  }
}

TensorRow MakeTensorRow(const trial::Trial& trial, const CollectionFinder& finder, std::string name,
                        const TrialTensorsOptions& options) {
  TensorRow row;
  row.name = std::move(name);
  row.collections = finder.Find(row.name);
  const std::vector<Step> steps = StepsOfTensor(trial, row.name, options.mode);
  for (const Step step : steps) {
    if (const auto at = trial.ModeOf(step)) row.steps[at->mode].push_back(at->step);
  }
  for (const Step step : Spread(steps)) Look(trial, step, options.worker, &row);
  return row;
}

Result<std::vector<TensorRow>> TensorRows(const Run& run, const TrialTensorsOptions& options) {
  trial::NameFilter filter;
  filter.step = options.step;
  filter.mode = options.mode;
  filter.regex = options.regex;
  if (!options.collection.empty()) {
    if (Status known = CheckCollection(run, options.collection); !known.ok()) return known;
    filter.collection = options.collection;
  }
  if (!options.worker.empty()) filter.worker = options.worker;
  auto names = run.trial->TensorNames(filter);
  if (!names.ok()) return names.status();
  const CollectionFinder finder(run.trial->collections());
  std::vector<TensorRow> rows;
  for (std::string& name : names.value()) {
    rows.push_back(MakeTensorRow(*run.trial, finder, std::move(name), options));
  }
  return rows;
}

std::vector<std::string> ReductionNames(const std::set<Reduction>& reductions) {
  std::vector<std::string> names;
  for (const Reduction reduction : reductions) names.push_back(ReductionName(reduction));
  return names;
}

void PrintRowsAsJson(const std::vector<TensorRow>& rows, Output* out) {
  Json list = Json::array();
  for (const TensorRow& row : rows) {
    Json steps = Json::object();
    for (const auto& [mode, of_mode] : row.steps) steps[std::string(ModeName(mode))] = of_mode;
    list.push_back({{"name", row.name},
                    {"collections", row.collections},
                    {"dtype", row.dtype ? Json(DTypeName(*row.dtype)) : Json()},
                    {"shape", row.shape ? Json(*row.shape) : Json()},
                    {"steps", std::move(steps)},
                    {"workers", row.workers},
                    {"reductions", ReductionNames(row.reductions)}});
  }
  out->PrintJson(list);
}

std::string CountsByMode(const std::map<Mode, std::vector<Step>>& steps) {
  std::vector<std::string> parts;
  for (const auto& [mode, of_mode] : steps) {
    parts.push_back(fmt::format("{} {}", ModeName(mode), of_mode.size()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ReductionsText(const std::set<Reduction>& reductions) {
  if (reductions.size() == Reduction::kCount) return "all";
  return fmt::format("{}", fmt::join(ReductionNames(reductions), ","));
}

void PrintRows(const std::vector<TensorRow>& rows, Output* out) {
  Table table({{"NAME"},
               {"DTYPE"},
               {"SHAPE"},
               {"STEPS"},
               {"COLLECTIONS", Align::kLeft, /*shrinks=*/true},
               {"REDUCTIONS", Align::kLeft, /*shrinks=*/true}});
  for (const TensorRow& row : rows) {
    table.Add({row.name, row.dtype ? std::string(DTypeName(*row.dtype)) : "-",
               row.shape ? FormatShape(*row.shape) : "-", CountsByMode(row.steps),
               fmt::format("{}", fmt::join(row.collections, ",")), ReductionsText(row.reductions)});
  }
  table.Print(out);
}

Result<int> ListTensors(const TrialTensorsOptions& options, Output* out) {
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  const auto rows = TensorRows(run.value(), options);
  if (!rows.ok()) return rows.status();
  TellProblems(run.value(), out);
  if (options.json) {
    PrintRowsAsJson(rows.value(), out);
  } else {
    PrintRows(rows.value(), out);
  }
  return kDone;
}

void DefineTrialTensors(Command* command) {
  auto options = std::make_shared<TrialTensorsOptions>();
  command->Run(&options->run);
  command->Text("--collection", &options->collection, "Only tensors of this collection");
  command->Texts("--regex", &options->regex, "Only tensors with names that match; may be repeated");
  command->AtStep(&options->step, "Only tensors saved at this step");
  command->OnlyMode(&options->mode, "Mode of --step; without --step: only tensors of this mode");
  command->Text("--worker", &options->worker, "Only tensors that this worker saved");
  command->Json(&options->json);
  command->Exclusive({"--collection", "--regex"});
  command->Footer(
      "Examples:\n"
      "  warden trial tensors runs/a --regex 'weight$' --regex 'bias$'\n"
      "  warden trial tensors runs/a --mode TRAIN --step 100 --json");
  command->Runs(options, ListTensors);
}

}  // namespace

CommandEntry TrialTensors() {
  return {"tensors", "List the saved tensors of a run", DefineTrialTensors};
}

}  // namespace warden::cli
