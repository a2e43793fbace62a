#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/export_sink.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr int kMostTold = 3;

struct TrialExportOptions {
  std::string run;
  std::vector<std::string> tensors;
  std::vector<std::string> regex;
  std::string collection;
  std::vector<Step> steps;
  Mode mode = Mode::kGlobal;
  std::string worker;
  std::string format;
  std::string path;
  bool stats = false;
  bool json = false;
};

struct Tally {
  uint64_t written = 0;
  uint64_t without_values = 0;  // Only reductions or the shape were saved.
  uint64_t unreadable = 0;
  bool widened = false;  // bfloat16 became float32.
};

Result<std::vector<std::string>> Tensors(const Run& run, const TrialExportOptions& options) {
  for (const std::string& tensor : options.tensors) {
    if (Status known = CheckTensor(run, tensor); !known.ok()) return known;
  }
  if (!options.tensors.empty()) {
    const std::set<std::string> each_once(options.tensors.begin(), options.tensors.end());
    return std::vector<std::string>(each_once.begin(), each_once.end());
  }
  trial::NameFilter filter;
  filter.regex = options.regex;
  if (!options.collection.empty()) {
    if (Status known = CheckCollection(run, options.collection); !known.ok()) return known;
    filter.collection = options.collection;
  }
  return run.trial->TensorNames(filter);
}

// The requested global steps, sorted; none: all.
Result<std::vector<Step>> GlobalSteps(const trial::Trial& trial,
                                      const TrialExportOptions& options) {
  std::vector<Step> steps;
  for (const Step step : options.steps) {
    const auto global = trial.GlobalStep(options.mode, step);
    if (!global || !trial.ModeOf(*global)) {
      return Status(Code::kStepUnavailable,
                    fmt::format("no step {} in mode {}; 'warden trial steps {}' lists the steps",
                                step, ModeName(options.mode), options.run));
    }
    steps.push_back(*global);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::vector<Step> StepsToExport(const trial::Trial& trial, const std::string& tensor,
                                const std::vector<Step>& wanted,
                                const TrialExportOptions& options) {
  if (wanted.empty()) return StepsOfTensor(trial, tensor, options.mode);
  std::vector<Step> steps;
  const auto saved = trial.TensorSteps(tensor, Mode::kGlobal, /*include_incomplete=*/true);
  if (!saved.ok()) return steps;
  std::set_intersection(saved.value().begin(), saved.value().end(), wanted.begin(), wanted.end(),
                        std::back_inserter(steps));
  return steps;
}

// What to export of one tensor.
std::vector<ExportItem> Items(const trial::Trial& trial, const std::string& tensor,
                              const std::vector<Step>& wanted, const TrialExportOptions& options) {
  std::vector<ExportItem> items;
  for (const Step step : StepsToExport(trial, tensor, wanted, options)) {
    const auto at = trial.ModeOf(step);
    const auto workers = trial.TensorWorkers(tensor, step);
    if (!at || !workers.ok()) continue;
    for (const std::string& worker : workers.value()) {
      if (!options.worker.empty() && worker != options.worker) continue;
      items.push_back({tensor, step, *at, worker});
    }
  }
  return items;
}

// Whether only reductions or the shape were saved.
bool HasNoValue(const trial::Trial& trial, const ExportItem& item, const Status& why) {
  if (why.code() != Code::kTensorUnavailableForStep) return false;
  const auto reductions = trial.SavedReductions(item.tensor, item.step, Mode::kGlobal, item.worker);
  if (reductions.ok() && !reductions.value().empty()) return true;
  return trial.Shape(item.tensor, item.step, Mode::kGlobal, item.worker).ok();
}

// Exports one item. An item that cannot be read is counted, not an error; one that cannot be
// written is.
Status ExportOne(const trial::Trial& trial, const ExportItem& item,
                 const TrialExportOptions& options, ExportSink* sink, Tally* tally, Output* out) {
  const auto not_read = [&](const Status& why) {
    if (tally->unreadable++ < kMostTold) out->Tell(Printable(why.message()));
    return Status();
  };
  if (options.stats) {
    const auto statistics = trial::StatisticsOf(trial, item.tensor, item.step, item.worker,
                                                trial::StatisticsDetail::kAll);
    if (!statistics.ok()) return not_read(statistics.status());
    ++tally->written;
    return sink->AddStatistics(item, statistics.value());
  }
  const auto value = trial.Value(item.tensor, item.step, Mode::kGlobal, item.worker);
  if (!value.ok()) {
    if (!HasNoValue(trial, item, value.status())) return not_read(value.status());
    ++tally->without_values;
    return Status();
  }
  ++tally->written;
  tally->widened |= value.value().dtype == DType::kBFloat16;
  return sink->AddValue(item, value.value());
}

Result<std::unique_ptr<ExportSink>> NewSink(const TrialExportOptions& options, Output* out) {
  if (options.format == "csv") return NewCsvSink(options.path, options.stats, out);
  if (options.format == "json") return NewJsonSink(options.path, out);
  if (options.stats) {
    return Status(Code::kInvalid, "--stats requires --format csv or json, got npy");
  }
  return NewNpySink(options.path);
}

void TellTally(const Tally& tally, const TrialExportOptions& options, Output* out) {
  if (tally.widened && options.format == "npy") {
    out->Tell("bfloat16 exported as float32, without loss");
  }
  if (tally.without_values > 0) {
    out->Tell(
        fmt::format("{} skipped: only statistics or the shape were saved; --stats exports those",
                    CountOf(tally.without_values, "value")));
  }
  if (tally.unreadable > 0) {
    out->Tell(fmt::format("cannot read {}; run 'warden trial verify {}'",
                          CountOf(tally.unreadable, "value"), options.run));
  }
  if (options.path == "-") return;
  if (options.json) {
    out->PrintJson({{"out", options.path},
                    {"format", options.format},
                    {"written", tally.written},
                    {"without_values", tally.without_values},
                    {"unreadable", tally.unreadable}});
  } else {
    out->Print("{} written to {}\n", CountOf(tally.written, options.stats ? "row" : "value"),
               Printable(options.path));
  }
}

Result<int> Export(const TrialExportOptions& options, Output* out) {
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  const trial::Trial& trial = *run.value().trial;
  TellProblems(run.value(), out);
  const auto tensors = Tensors(run.value(), options);
  if (!tensors.ok()) return tensors.status();
  const auto steps = GlobalSteps(trial, options);
  if (!steps.ok()) return steps.status();
  auto sink = NewSink(options, out);
  if (!sink.ok()) return sink.status();

  Tally tally;
  for (const std::string& tensor : tensors.value()) {
    for (const ExportItem& item : Items(trial, tensor, steps.value(), options)) {
      out->ShowProgress([&] { return fmt::format("{} values, {}", tally.written, tensor); });
      Status status = ExportOne(trial, item, options, sink.value().get(), &tally, out);
      if (!status.ok()) return status;
    }
  }
  if (tally.written == 0 && tally.unreadable == 0) {
    return Status(Code::kNotFound,
                  fmt::format("nothing to export: {}: {}", options.run,
                              tally.without_values > 0
                                  ? "only statistics or the shape were saved; --stats exports those"
                                  : "no saved values match these options"));
  }
  if (Status status = sink.value()->Finish(); !status.ok()) return status;
  TellTally(tally, options, out);
  return tally.unreadable > 0 ? kFailed : kDone;
}

void DefineTrialExport(Command* command) {
  auto options = std::make_shared<TrialExportOptions>();
  command->Run(&options->run);
  command->Texts("--tensor", &options->tensors, "Tensor to export; may be repeated");
  command->Texts("--regex", &options->regex, "Tensors with names that match; may be repeated");
  command->Text("--collection", &options->collection, "Tensors of this collection");
  command->AtSteps(&options->steps, "Step to export (default: all); may be repeated");
  command->OnlyMode(&options->mode, "Mode of --step; without --step: only steps of this mode");
  command->Text("--worker", &options->worker, "Worker to export (default: all)");
  command->Choice("--format", &options->format, {"npy", "csv", "json"}, "Output format");
  command->Text("--out", &options->path, "Output file, or folder for npy; - for standard output");
  command->Switch("--stats", &options->stats, "Export statistics instead of values (csv, json)");
  command->Json(&options->json);
  command->Required("--format");
  command->Required("--out");
  command->Exclusive({"--tensor", "--regex", "--collection"});
  command->Footer(
      "npy: one file per tensor, step and worker, named TENSOR@STEP@WORKER.npy. Characters not\n"
      "allowed in file names become %XX; bfloat16 becomes float32.\n"
      "csv: one line per element, with its index in C order.\n"
      "json: one line per tensor, step and worker.\n\n"
      "Examples:\n"
      "  warden trial export runs/a --collection weights --step 100 --format npy --out weights/\n"
      "  warden trial export runs/a --stats --format csv --out -");
  command->Runs(options, Export);
}

}  // namespace

CommandEntry TrialExport() {
  return {"export", "Export saved values as npy, csv or json", DefineTrialExport};
}

}  // namespace warden::cli
