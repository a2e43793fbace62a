#include "warden/trial/run_scalars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/config/collection.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/format/reduction_tensor.h"
#include "warden/stats/element.h"
#include "warden/trial/manifests.h"
#include "warden/trial/record_value.h"

namespace warden::trial {
namespace {

constexpr uint64_t kLargestScalarRecord = 64 << 10;
constexpr size_t kMostScalars = 64, kMostCollected = 256, kMostParameters = 64;
constexpr size_t kMostArguments = 256;
constexpr size_t kMostCompared = 32;  // Scalars whose values at best steps are kept.
constexpr size_t kShownElements = 8;
constexpr std::string_view kScalarPrefix = "scalar/", kObservedPrefix = "training/";
constexpr std::string_view kParameters = "hyperparameters", kArgumentsTensor = "training/arguments";
// Tensors of these are no metrics, even if they have one element.
constexpr std::array<std::string_view, 12> kNoMetrics = {
    "weights",      "biases",    "gradients",   "inputs",
    "outputs",      "labels",    "predictions", "feature_importance",
    "average_shap", "full_shap", "trees",       "optimizer_variables"};

enum class Kind : uint8_t { kNone, kMaybe, kMetric, kLoss, kParameter, kArguments };

// Which tensors are scalars, by their names and collections.
class Kinds {
 public:
  explicit Kinds(const config::Collections& collections) {
    for (const auto& [name, collection] : collections) {
      auto matcher = config::CollectionMatcher::Make(collection);
      if (matcher.ok()) matchers_.emplace_back(name, std::move(matcher.value()));
    }
  }

  Kind& Of(std::string_view tensor) {
    if (const auto known = known_.find(std::string(tensor)); known != known_.end()) {
      return known->second;
    }
    return known_[std::string(tensor)] = Decide(tensor);
  }

 private:
  Kind Decide(std::string_view tensor) const {
    if (tensor == kArgumentsTensor) return Kind::kArguments;
    if (format::ParseReductionTensorName(tensor)) return Kind::kNone;
    bool metric = false, other = false;
    for (const auto& [name, matcher] : matchers_) {
      const bool interesting = name == "losses" || name == "metrics" || name == kParameters ||
                               std::ranges::find(kNoMetrics, name) != kNoMetrics.end();
      if (!interesting || !matcher.Matches(tensor)) continue;
      if (name == kParameters) return Kind::kParameter;
      if (name == "losses") return Kind::kLoss;
      metric = metric || name == "metrics";
      other = other || name != "metrics";
    }
    if (metric) return Kind::kMetric;
    const bool observed = tensor.starts_with(kObservedPrefix) && tensor != "training/accuracy" &&
                          tensor != "training/learning_rate";
    return other || observed ? Kind::kNone : Kind::kMaybe;
  }

  std::vector<std::pair<std::string, config::CollectionMatcher>> matchers_;
  std::unordered_map<std::string, Kind> known_;
};

// The elements as numbers; none of strings and complex numbers.
std::vector<double> NumbersOf(const TensorValue& value) {
  std::vector<double> numbers;
  const size_t count = value.ref().count();
  (void)stats::VisitReal(value.dtype, [&]<class T>() {
    for (size_t i = 0; i < count; ++i) {
      numbers.push_back(stats::ToDouble(stats::ReadElement<T>(value.data.data(), i)));
    }
  });
  return numbers;
}

// Values are often float32, where 0.3 is 0.30000001.
std::string ParameterText(const TensorValue& value) {
  std::vector<std::string> texts = value.strings;
  if (value.dtype != DType::kString) {
    for (const double number : NumbersOf(value)) {
      const bool whole = number == std::trunc(number) && std::abs(number) < 1e15;
      texts.push_back(whole ? fmt::format("{:.0f}", number) : fmt::format("{:.6g}", number));
    }
  }
  const bool cut = texts.size() > kShownElements;
  if (cut) texts.resize(kShownElements);
  return fmt::format("{}{}", fmt::join(texts, ", "), cut ? ", …" : "");
}

// "" of what is neither a text, a number nor true or false.
std::string ArgumentText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() || value.is_boolean() ? value.dump() : "";
}

// Of a JSON object in UTF-8.
std::map<std::string, std::string> ArgumentsIn(const TensorValue& value) {
  std::map<std::string, std::string> arguments;
  const auto object = ParseJson(AsText(value.data));
  if (!object.ok() || !object.value().is_object()) return arguments;
  for (const auto& [name, one] : object.value().items()) {
    if (arguments.size() == kMostArguments) break;
    std::vector<std::string> texts;
    if (one.is_array()) {
      for (const Json& element : one) texts.push_back(ArgumentText(element));
    } else {
      texts.push_back(ArgumentText(one));
    }
    arguments[name] = fmt::format("{}", fmt::join(texts, ", "));
  }
  return arguments;
}

std::string WithoutPrefix(std::string_view name, std::string_view prefix) {
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

// Returns whether it is a new minimum or maximum.
bool AddNumber(double value, Step step, ScalarSummary* summary) {
  summary->last = value;
  summary->last_step = step;
  if (!std::isfinite(value)) return false;
  const bool low = !summary->min || value < summary->min->first;
  const bool high = !summary->max || value > summary->max->first;
  if (low) summary->min = {value, step};
  if (high) summary->max = {value, step};
  return low || high;
}

// The last values of all scalars, and what they were when each of them was best.
class BestSteps {
 public:
  using Scalar = std::pair<size_t, Mode>;  // A tensor by its number.

  // To be called for every value, after AddNumber.
  void Add(Scalar scalar, double value, bool is_best) {
    auto known = places_.find(scalar);
    if (known == places_.end()) {
      if (places_.size() == kMostCompared) return;
      known = places_.emplace(scalar, places_.size()).first;
      now_.push_back(value);
      at_.emplace_back();
    }
    now_[known->second] = value;
    if (is_best) changed_.push_back(known->first);
  }

  // All scalars of the step are there.
  void EndStep(Step step, const auto& summary_of) {
    for (const Scalar& scalar : changed_) {
      const ScalarSummary& summary = summary_of(scalar);
      auto& [low, high] = at_[places_[scalar]];
      if (summary.min && summary.min->second == step) low = now_;
      if (summary.max && summary.max->second == step) high = now_;
    }
    changed_.clear();
  }

  // names: by scalar; those without one are left out. Bests that never were are left out too.
  std::vector<BestStep> Finish(const std::map<Scalar, std::string>& names,
                               const auto& summary_of) const {
    std::vector<BestStep> all;
    for (const auto& [scalar, name] : names) {
      const auto place = places_.find(scalar);
      if (place == places_.end()) continue;
      const auto& [low, high] = at_[place->second];
      const ScalarSummary& summary = summary_of(scalar);
      if (!summary.min || !summary.max) continue;
      all.push_back({name, true, summary.min->second, Named(low, names)});
      all.push_back({name, false, summary.max->second, Named(high, names)});
    }
    return all;
  }

 private:
  std::vector<std::pair<std::string, double>> Named(
      const std::vector<double>& values, const std::map<Scalar, std::string>& names) const {
    std::vector<std::pair<std::string, double>> named;
    for (const auto& [scalar, name] : names) {
      const auto place = places_.find(scalar);
      // Scalars that appeared later have a place behind the end.
      if (place == places_.end() || place->second >= values.size()) continue;
      named.emplace_back(name, values[place->second]);
    }
    return named;
  }

  std::map<Scalar, size_t> places_;
  std::vector<double> now_;                                              // By place.
  std::vector<std::pair<std::vector<double>, std::vector<double>>> at_;  // Lowest and highest.
  std::vector<Scalar> changed_;                                          // In this step.
};

class ScalarReader {
 public:
  ScalarReader(const storage::Store& store, const config::Collections& collections)
      : store_(store), kinds_(collections) {}

  // What cannot be read is left out.
  void Read(const std::string& key, Step step) {
    const auto text = store_.ReadAll(key);
    if (!text.ok()) return;
    const auto index = parser_.Parse(AsText(text.value().bytes));
    if (!index.ok() || index.value()->event_file.empty()) return;
    std::shared_ptr<const storage::Object> events;
    for (const format::IndexEntry& entry : index.value()->entries) {
      if (entry.length > kLargestScalarRecord) continue;
      Kind& kind = kinds_.Of(entry.tensor);
      if (kind == Kind::kNone) continue;
      if (!events) {
        auto opened = store_.Open(index.value()->event_file);
        if (!opened.ok()) return;
        events = std::move(opened.value());
      }
      const auto blob = events->Read(entry.start, entry.length);
      if (!blob.ok()) continue;
      const auto value = ToTensorValue(blob.value(), entry.start);
      if (value.ok()) Add(entry.tensor, value.value(), index.value()->mode, step, &kind);
    }
    best_.EndStep(step, [this](const BestSteps::Scalar& one) -> const ScalarSummary& {
      return SummaryOf(one);
    });
  }

  RunScalars Finish() {
    RunScalars run;
    run.hyper_parameters = std::move(parameters_);
    run.arguments = std::move(arguments_);
    std::map<BestSteps::Scalar, std::string> names;
    for (const bool loss : {true, false}) {
      for (size_t i = 0; i < tensors_.size(); ++i) {
        if (tensors_[i].loss == loss) AddTo(i, &run, &names);
      }
    }
    run.best = best_.Finish(names, [this](const BestSteps::Scalar& one) -> const ScalarSummary& {
      return SummaryOf(one);
    });
    return run;
  }

 private:
  struct Tensor {
    std::string name;
    bool loss = false;
    std::map<Mode, ScalarSummary> modes;
  };

  const ScalarSummary& SummaryOf(const BestSteps::Scalar& one) const {
    return tensors_[one.first].modes.at(one.second);
  }

  void AddTo(size_t number, RunScalars* run,
             std::map<BestSteps::Scalar, std::string>* names) const {
    const Tensor& tensor = tensors_[number];
    for (const auto& [mode, summary] : tensor.modes) {
      if (run->scalars.size() == kMostScalars) return;
      const bool several = tensor.modes.size() > 1;
      run->scalars.emplace_back(
          several ? fmt::format("{} ({})", tensor.name, ModeName(mode)) : tensor.name, summary);
      (*names)[{number, mode}] = run->scalars.back().first;
    }
  }

  void Add(std::string_view name, const TensorValue& value, Mode mode, Step step, Kind* kind) {
    if (*kind == Kind::kParameter) {
      if (parameters_.size() < kMostParameters) {
        parameters_[WithoutPrefix(name, "hyperparameters/")] = ParameterText(value);
      }
      *kind = Kind::kNone;  // It stays what it is.
      return;
    }
    if (*kind == Kind::kArguments) {
      arguments_ = ArgumentsIn(value);
      return;
    }
    const std::vector<double> numbers = NumbersOf(value);
    if (numbers.empty() || (*kind == Kind::kMaybe && numbers.size() != 1)) {
      *kind = Kind::kNone;
      return;
    }
    double sum = 0;
    for (const double number : numbers) sum += number;
    const auto number = Find(name, *kind == Kind::kLoss);
    if (!number) return;
    const double mean = sum / static_cast<double>(numbers.size());
    best_.Add({*number, mode}, mean, AddNumber(mean, step, &tensors_[*number].modes[mode]));
  }

  // Its number in tensors_.
  std::optional<size_t> Find(std::string_view name, bool loss) {
    const auto known = ids_.find(std::string(name));
    if (known != ids_.end()) return known->second;
    if (tensors_.size() == kMostCollected) return std::nullopt;
    ids_[std::string(name)] = tensors_.size();
    tensors_.push_back({WithoutPrefix(name, kScalarPrefix), loss, {}});
    return tensors_.size() - 1;
  }

  const storage::Store& store_;
  Kinds kinds_;
  format::IndexParser parser_;
  std::vector<Tensor> tensors_;
  std::unordered_map<std::string, size_t> ids_;
  std::map<std::string, std::string> parameters_, arguments_;
  BestSteps best_;
};

}  // namespace

std::map<std::string, std::string> RunScalars::AllParameters(
    const std::map<std::string, std::string>& options) const {
  std::map<std::string, std::string> all = hyper_parameters;
  for (const auto& [name, text] : options) {
    // argparse has "--batch-size" as "batch_size".
    std::string known = name;
    std::ranges::replace(known, '-', '_');
    if (!arguments.contains(known)) all[name] = text;
  }
  for (const auto& [name, text] : arguments) all[name] = text;
  return all;
}

Result<RunScalars> ReadRunScalars(const storage::Store& store, const std::stop_token& stop) {
  const auto manifests = LoadManifests(store, std::chrono::milliseconds(0), /*needed=*/false);
  if (!manifests.ok()) return manifests.status();
  const auto keys = store.List(format::kIndexPrefix);
  if (!keys.ok()) return keys.status();
  std::optional<std::string> worker;
  std::vector<std::pair<const std::string*, format::StepFileName>> files;
  for (const std::string& key : keys.value()) {
    auto name = format::ParseStepFileName(key);
    if (!name) continue;
    if (!worker || name->worker < *worker) worker = name->worker;
    files.emplace_back(&key, std::move(*name));
  }
  ScalarReader reader(store, manifests.value().collections);
  for (const auto& [key, name] : files) {
    if (stop.stop_requested()) return Status(Code::kUnavailable, "reading was stopped");
    if (name.worker == *worker) reader.Read(*key, name.step);
  }
  return reader.Finish();
}

}  // namespace warden::trial
