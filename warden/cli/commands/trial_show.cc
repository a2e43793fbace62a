#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/cli/terminal_charts.h"
#include "warden/cli/text.h"
#include "warden/stats/summary.h"
#include "warden/trial/tensor_statistics.h"
#include "warden/view/text/array_text.h"

namespace warden::cli {
namespace {

constexpr int kCompactBins = 10;
constexpr int kBins = 20;

struct TrialShowOptions {
  std::string run;
  std::string tensor;
  std::optional<Step> step;
  Mode mode = Mode::kGlobal;
  std::string worker;
  bool stats = false, values = false, histogram = false, full = false;
  bool json = false;
};

// One saved value: worker and step.
struct Place {
  Step step = 0;  // Global.
  trial::ModeStep at;
  std::string worker;
};

Result<std::string> WorkerAt(const trial::Trial& trial, const TrialShowOptions& options,
                             Step step) {
  if (!options.worker.empty()) return options.worker;
  auto workers = trial.TensorWorkers(options.tensor, step);
  if (!workers.ok()) return workers.status();
  return workers.value().front();
}

Result<Place> PlaceAt(const trial::Trial& trial, const TrialShowOptions& options, Step step) {
  auto worker = WorkerAt(trial, options, step);
  if (!worker.ok()) return worker.status();
  const auto at = trial.ModeOf(step);
  return Place{step, at.value_or(trial::ModeStep{Mode::kGlobal, step}), std::move(worker.value())};
}

Status NotSaved(const trial::Trial& trial, const TrialShowOptions& options) {
  const std::string mode(ModeName(options.mode));
  const auto steps = trial.TensorSteps(options.tensor, options.mode, true);
  if (!steps.ok()) return steps.status();
  if (steps.value().empty()) {
    return Status(
        Code::kTensorUnavailableForStep,
        fmt::format("no step of mode {}: {} was saved in other modes", mode, options.tensor));
  }
  std::vector<Step> some = steps.value();
  const bool more = some.size() > 10;
  if (more) some.resize(10);
  return Status(Code::kTensorUnavailableForStep,
                fmt::format("no such step of {}: {}: in mode {} it was saved at {}{}",
                            options.tensor, *options.step, mode, fmt::join(some, ", "),
                            more ? fmt::format(", ... {}", steps.value().back()) : ""));
}

// The requested place; without a step, the last one.
Result<Place> FindPlace(const trial::Trial& trial, const TrialShowOptions& options) {
  if (options.step) {
    const auto step = trial.GlobalStep(options.mode, *options.step);
    const auto all = trial.TensorSteps(options.tensor, Mode::kGlobal, true);
    if (!step || !all.ok() || !std::binary_search(all.value().begin(), all.value().end(), *step)) {
      return NotSaved(trial, options);
    }
    return PlaceAt(trial, options, *step);
  }
  const std::vector<Step> steps = StepsOfTensor(trial, options.tensor, options.mode);
  if (steps.empty()) return NotSaved(trial, options);
  return PlaceAt(trial, options, steps.back());
}

Json PlaceToJson(const Place& place) {
  return {{"step", place.step},
          {"mode", ModeName(place.at.mode)},
          {"mode_step", place.at.step},
          {"worker", place.worker}};
}

std::string PlaceText(const Place& place) {
  if (place.at.mode == Mode::kGlobal) return fmt::format("step {}, {}", place.step, place.worker);
  return fmt::format("step {} ({} {}), {}", place.step, ModeName(place.at.mode), place.at.step,
                     place.worker);
}

std::string_view WhatWasSaved(const trial::TensorStatistics& statistics) {
  if (statistics.value) return DTypeName(statistics.value->dtype);
  const bool reduced = std::any_of(statistics.numbers.begin(), statistics.numbers.end(),
                                   [](const auto& statistic) { return statistic.has_value(); });
  return reduced ? "statistics only" : "shape only";
}

void PrintHeading(const Run& run, const TrialShowOptions& options, const Place& place,
                  const trial::TensorStatistics& statistics, Output* out) {
  const auto collections = CollectionFinder(run.trial->collections()).Find(options.tensor);
  const std::string shape = statistics.shape ? " " + FormatShape(*statistics.shape) : "";
  out->Write(Styled(Printable(options.tensor), Style::kBold, out->terminal()) + "\n");
  out->Write(Printable(fmt::format("{}, {}{}", PlaceText(place), WhatWasSaved(statistics), shape)) +
             "\n");
  if (!collections.empty()) {
    out->Write(Printable(fmt::format("collections: {}", fmt::join(collections, ", "))) + "\n");
  }
  out->Write("\n");
}

// For a table: counts in full, others with six digits. Empty if it is not known.
std::string StatisticText(const trial::Statistics& statistics, size_t statistic) {
  const std::optional<double> number = statistics[statistic];
  if (!number) return "";
  return trial::IsCount(statistic) ? fmt::format("{:.0f}", *number) : FormatNumber(*number);
}

// "name value" pairs on one line, those that are known.
void PrintStatisticsLine(const trial::Statistics& statistics, std::initializer_list<size_t> which,
                         Output* out) {
  std::vector<std::string> parts;
  for (const size_t statistic : which) {
    if (!statistics[statistic]) continue;
    parts.push_back(fmt::format("{} {}", trial::kStatisticNames[statistic],
                                StatisticText(statistics, statistic)));
  }
  if (!parts.empty()) out->Print("{}\n", fmt::join(parts, "  "));
}

// Operations down, plain and absolute across.
void PrintAllStatistics(const trial::Statistics& statistics, Output* out) {
  PrintStatisticsLine(
      statistics, {trial::kCount, trial::kZeros, trial::kNan, trial::kPosInf, trial::kNegInf}, out);
  Table table({{""}, {"VALUE", Align::kRight}, {"ABSOLUTE", Align::kRight}});
  for (const ReductionOp op : kAllReductionOps) {
    const std::string plain = StatisticText(statistics, trial::StatisticOf({op, false}));
    const std::string absolute = StatisticText(statistics, trial::StatisticOf({op, true}));
    if (!plain.empty() || !absolute.empty()) {
      table.Add({std::string(ReductionOpName(op)), plain, absolute});
    }
  }
  for (const size_t statistic : {trial::kP5, trial::kMedian, trial::kP95}) {
    if (statistics[statistic]) {
      table.Add({std::string(trial::kStatisticNames[statistic]),
                 StatisticText(statistics, statistic), std::string()});
    }
  }
  if (!table.empty()) table.Print(out);
}

// The statistics again without NaN and infinities, which make them useless.
void PrintFiniteStatistics(const trial::TensorValue& value, Output* out) {
  const auto summary = stats::Summarize(value.ref());
  if (!summary.ok()) return;
  const stats::Summary& s = summary.value();
  if (s.finite_count() == 0 || s.finite_count() == s.count) return;
  out->Print("finite values only: min {}  mean {}  max {}  std {}\n", FormatNumber(s.min),
             FormatNumber(s.mean), FormatNumber(s.max),
             FormatNumber(std::sqrt(s.m2 / static_cast<double>(s.finite_count()))));
}

void PrintShortStatistics(const trial::Statistics& statistics, Output* out) {
  const auto statistic = [](ReductionOp op) { return trial::StatisticOf({op, false}); };
  PrintStatisticsLine(
      statistics,
      {statistic(ReductionOp::kMin), trial::kMedian, statistic(ReductionOp::kMean),
       statistic(ReductionOp::kMax), statistic(ReductionOp::kStd), statistic(ReductionOp::kL2)},
      out);
}

Status NoValues(const TrialShowOptions& options, const Place& place) {
  return Status(Code::kTensorUnavailableForStep,
                fmt::format("no values of {} at {}: only statistics or the shape were saved; "
                            "--stats shows those",
                            options.tensor, PlaceText(place)));
}

Json Describe(const TrialShowOptions& options, const Place& place,
              const trial::TensorStatistics& statistics) {
  Json json = {{"tensor", options.tensor}};
  json.update(PlaceToJson(place));
  json["dtype"] = statistics.value ? Json(DTypeName(statistics.value->dtype)) : Json();
  json["shape"] = statistics.shape ? Json(*statistics.shape) : Json();
  json["source"] = statistics.value ? "values" : "reductions";
  return json;
}

bool HasOrder(const trial::TensorValue& value) {
  return !IsComplex(value.dtype) && value.dtype != DType::kString;
}

// Statistics and a small histogram of one step; with --stats all statistics.
Result<int> ShowStatistics(const Run& run, const TrialShowOptions& options, const Place& place,
                           Output* out) {
  const auto found = trial::StatisticsOf(*run.trial, options.tensor, place.step, place.worker,
                                         trial::StatisticsDetail::kAll);
  if (!found.ok()) return found.status();
  const trial::TensorStatistics& statistics = found.value();
  std::optional<stats::LinearHistogram> histogram;
  if (!options.stats && statistics.value && HasOrder(*statistics.value)) {
    auto made = stats::MakeLinearHistogram(statistics.value->ref(), kCompactBins);
    if (!made.ok()) return made.status();
    histogram = std::move(made.value());
  }
  if (options.json) {
    Json json = Describe(options, place, statistics);
    json["stats"] = trial::ToJson(statistics.numbers);
    if (histogram) json["histogram"] = ToJson(*histogram);
    out->PrintJson(json);
    return kDone;
  }
  PrintHeading(run, options, place, statistics, out);
  if (!histogram) {
    PrintAllStatistics(statistics.numbers, out);
    return kDone;
  }
  PrintShortStatistics(statistics.numbers, out);
  PrintFiniteStatistics(*statistics.value, out);
  out->Write("\n" + Draw(*histogram, out->terminal()));
  return kDone;
}

Result<int> ShowHistogram(const Run& run, const TrialShowOptions& options, const Place& place,
                          Output* out) {
  const auto found = trial::StatisticsOf(*run.trial, options.tensor, place.step, place.worker,
                                         trial::StatisticsDetail::kOnePass);
  if (!found.ok()) return found.status();
  if (!found.value().value) return NoValues(options, place);
  const auto histogram = stats::MakeLinearHistogram(found.value().value->ref(), kBins);
  if (!histogram.ok()) return histogram.status().WithContext(options.tensor);
  if (options.json) {
    Json json = Describe(options, place, found.value());
    json["histogram"] = ToJson(histogram.value());
    out->PrintJson(json);
    return kDone;
  }
  PrintHeading(run, options, place, found.value(), out);
  out->Write(Draw(histogram.value(), out->terminal()));
  return kDone;
}

Result<int> ShowValues(const Run& run, const TrialShowOptions& options, const Place& place,
                       Output* out) {
  trial::TensorStatistics statistics;
  auto value = run.trial->Value(options.tensor, place.step, Mode::kGlobal, place.worker);
  if (!value.ok()) return value.status();
  statistics.value = std::move(value.value());
  statistics.shape = statistics.value->shape;
  const auto print = [out](std::string_view text) { out->Write(text); };
  if (!options.json) {
    PrintHeading(run, options, place, statistics, out);
    view::PrintArray(*statistics.value, options.full, print);
    return kDone;
  }
  // The values, which may be very many, go where the closing brace would be.
  std::string head = DumpLikePython(Describe(options, place, statistics));
  head.back() = ',';
  out->Write(head + " \"values\": ");
  view::PrintValuesAsJson(*statistics.value, print);
  out->Write("}\n");
  return kDone;
}

struct StepStatistics {
  Place place;
  trial::Statistics statistics;
};

void PrintSeries(const std::vector<StepStatistics>& series, Output* out) {
  constexpr ReductionOp kOps[] = {ReductionOp::kMin, ReductionOp::kMean, ReductionOp::kMax,
                                  ReductionOp::kStd, ReductionOp::kL2};
  Table table({{"STEP", Align::kRight},
               {"MODE"},
               {"MODE STEP", Align::kRight},
               {"MIN", Align::kRight},
               {"MEAN", Align::kRight},
               {"MAX", Align::kRight},
               {"STD", Align::kRight},
               {"L2", Align::kRight},
               {"ZEROS", Align::kRight},
               {"NAN", Align::kRight},
               {"INF", Align::kRight}});
  for (const auto& [place, statistics] : series) {
    std::vector<Cell> row = {std::to_string(place.step), std::string(ModeName(place.at.mode)),
                             std::to_string(place.at.step)};
    for (const ReductionOp op : kOps)
      row.emplace_back(StatisticText(statistics, trial::StatisticOf({op, false})));
    const double bad = statistics[trial::kNan].value_or(0);
    const double infinite =
        statistics[trial::kPosInf].value_or(0) + statistics[trial::kNegInf].value_or(0);
    row.emplace_back(StatisticText(statistics, trial::kZeros));
    row.emplace_back(StatisticText(statistics, trial::kNan), bad > 0 ? Style::kBad : Style::kPlain);
    row.emplace_back(statistics[trial::kPosInf] ? fmt::format("{:.0f}", infinite) : "",
                     infinite > 0 ? Style::kBad : Style::kPlain);
    table.Add(std::move(row));
  }
  table.Print(out);
}

void PrintMeanLine(const std::vector<StepStatistics>& series, Output* out) {
  if (!out->terminal().interactive || !out->terminal().utf8 || series.size() < 2) return;
  std::vector<double> means;
  for (const StepStatistics& at : series) {
    means.push_back(at.statistics[trial::StatisticOf({ReductionOp::kMean, false})].value_or(NAN));
  }
  const auto width = static_cast<size_t>(out->terminal().width) - 6;
  out->Print("\nmean  {}\n", Sparkline(means, width));
}

// A row of statistics for each step. Unreadable steps are reported and skipped.
Result<int> ShowSeries(const Run& run, const TrialShowOptions& options, Output* out) {
  std::vector<StepStatistics> series;
  size_t unread = 0;
  std::string reason;
  for (const Step step : StepsOfTensor(*run.trial, options.tensor, options.mode)) {
    auto place = PlaceAt(*run.trial, options, step);
    if (!place.ok()) continue;
    const auto found = trial::StatisticsOf(*run.trial, options.tensor, step, place.value().worker,
                                           trial::StatisticsDetail::kOnePass);
    if (found.ok()) {
      series.push_back({std::move(place.value()), found.value().numbers});
    } else if (unread++ == 0) {
      reason = found.status().message();
    }
  }
  if (unread > 0) {
    out->Tell(Printable(fmt::format("cannot read {}: {}", CountOf(unread, "step"), reason)));
  }
  if (series.empty()) return unread > 0 ? Result<int>(kFailed) : NotSaved(*run.trial, options);
  if (!options.json) {
    out->Write(Styled(Printable(options.tensor), Style::kBold, out->terminal()) + "\n\n");
    PrintSeries(series, out);
    PrintMeanLine(series, out);
    return kDone;
  }
  Json steps = Json::array();
  for (const auto& [place, statistics] : series) {
    Json at = PlaceToJson(place);
    at["stats"] = trial::ToJson(statistics);
    steps.push_back(std::move(at));
  }
  out->PrintJson({{"tensor", options.tensor}, {"steps", std::move(steps)}});
  return kDone;
}

Result<int> Show(const TrialShowOptions& options, Output* out) {
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  TellProblems(run.value(), out);
  if (Status known = CheckTensor(run.value(), options.tensor); !known.ok()) return known;
  if (options.stats && !options.step) return ShowSeries(run.value(), options, out);
  const auto place = FindPlace(*run.value().trial, options);
  if (!place.ok()) return place.status();
  if (options.values) return ShowValues(run.value(), options, place.value(), out);
  if (options.histogram) return ShowHistogram(run.value(), options, place.value(), out);
  return ShowStatistics(run.value(), options, place.value(), out);
}

void DefineTrialShow(Command* command) {
  auto options = std::make_shared<TrialShowOptions>();
  command->Run(&options->run);
  command->Positional("TENSOR", &options->tensor, "Name of the tensor");
  command->AtStep(&options->step, "Step (default: the last; with --stats: all)");
  command->OnlyMode(&options->mode, "Mode of --step (default: all steps of the run)");
  command->Text("--worker", &options->worker, "Worker (default: the first)");
  command->Switch("--stats", &options->stats, "Show all statistics");
  command->Switch("--values", &options->values, "Show the values");
  command->Switch("--histogram", &options->histogram, "Show a histogram of the values");
  command->Switch("--full", &options->full, "With --values: show all of them");
  command->Json(&options->json);
  command->Exclusive({"--stats", "--values", "--histogram"});
  command->Needs("--full", "--values");
  command->Footer(
      "Statistics are computed on the flattened values: std and variance divide by n, norms are\n"
      "vector norms. If only statistics were saved, the saved ones are shown.\n\n"
      "Examples:\n"
      "  warden trial show runs/a fc.weight\n"
      "  warden trial show runs/a fc.weight --stats\n"
      "  warden trial show runs/a fc.weight --mode TRAIN --step 100 --values\n"
      "  warden trial show runs/a gradient/fc.weight --histogram");
  command->Runs(options, Show);
}

}  // namespace

CommandEntry TrialShow() {
  return {"show", "Show one tensor: statistics, histogram, values", DefineTrialShow};
}

}  // namespace warden::cli
