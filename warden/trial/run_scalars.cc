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
constexpr size_t kShownElements = 8;
constexpr std::string_view kScalarPrefix = "scalar/", kObservedPrefix = "training/";
constexpr std::string_view kParameters = "hyperparameters";
// Tensors of these are no metrics, even if they have one element.
constexpr std::array<std::string_view, 12> kNoMetrics = {
    "weights",      "biases",    "gradients",   "inputs",
    "outputs",      "labels",    "predictions", "feature_importance",
    "average_shap", "full_shap", "trees",       "optimizer_variables"};

enum class Kind : uint8_t { kNone, kMaybe, kMetric, kLoss, kParameter };

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

std::string WithoutPrefix(std::string_view name, std::string_view prefix) {
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

void AddNumber(double value, Step step, ScalarSummary* summary) {
  summary->last = value;
  summary->last_step = step;
  if (!std::isfinite(value)) return;
  if (!summary->min || value < summary->min->first) summary->min = {value, step};
  if (!summary->max || value > summary->max->first) summary->max = {value, step};
}

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
  }

  RunScalars Finish() {
    RunScalars run;
    run.hyper_parameters = std::move(parameters_);
    for (const bool loss : {true, false}) {
      for (const Tensor& tensor : tensors_) {
        if (tensor.loss == loss) AddTo(tensor, &run);
      }
    }
    return run;
  }

 private:
  struct Tensor {
    std::string name;
    bool loss = false;
    std::map<Mode, ScalarSummary> modes;
  };

  static void AddTo(const Tensor& tensor, RunScalars* run) {
    for (const auto& [mode, summary] : tensor.modes) {
      if (run->scalars.size() == kMostScalars) return;
      const bool several = tensor.modes.size() > 1;
      run->scalars.emplace_back(
          several ? fmt::format("{} ({})", tensor.name, ModeName(mode)) : tensor.name, summary);
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
    const std::vector<double> numbers = NumbersOf(value);
    if (numbers.empty() || (*kind == Kind::kMaybe && numbers.size() != 1)) {
      *kind = Kind::kNone;
      return;
    }
    double sum = 0;
    for (const double number : numbers) sum += number;
    Tensor* tensor = Find(name, *kind == Kind::kLoss);
    if (tensor == nullptr) return;
    AddNumber(sum / static_cast<double>(numbers.size()), step, &tensor->modes[mode]);
  }

  Tensor* Find(std::string_view name, bool loss) {
    const auto known = ids_.find(std::string(name));
    if (known != ids_.end()) return &tensors_[known->second];
    if (tensors_.size() == kMostCollected) return nullptr;
    ids_[std::string(name)] = tensors_.size();
    tensors_.push_back({WithoutPrefix(name, kScalarPrefix), loss, {}});
    return &tensors_.back();
  }

  const storage::Store& store_;
  Kinds kinds_;
  format::IndexParser parser_;
  std::vector<Tensor> tensors_;
  std::unordered_map<std::string, size_t> ids_;
  std::map<std::string, std::string> parameters_;
};

}  // namespace

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
