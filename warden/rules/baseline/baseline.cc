#include "warden/rules/baseline/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::rules {
namespace {

constexpr char kFormat[] = "tensorwarden-baseline";
constexpr int64_t kVersion = 1;
constexpr size_t kMostBaselineBytes = 256 << 20;
constexpr size_t kMostPhases = 1000;
constexpr std::string_view kSideNames[] = {"both", "above", "below"};

Status BadBaseline(std::string what) { return Status(Code::kCorrupt, std::move(what)); }

std::optional<double> FiniteNumber(const Json* json) {
  if (json == nullptr || !json->is_number()) return std::nullopt;
  const auto value = json->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<Step> StepNumber(const Json* json) {
  if (json == nullptr || !json->is_number_integer()) return std::nullopt;
  const auto step = json->get<int64_t>();
  return step >= 0 ? std::optional<Step>(step) : std::nullopt;
}

// A list; null if it is missing or something else.
const Json* ListOf(const Json& json, std::string_view name) {
  const Json* list = MemberOf(json, name);
  return list != nullptr && list->is_array() ? list : nullptr;
}

Json EndsOf(const BandSeries& series, double Band::* end) {
  Json list = Json::array();
  for (const auto& band : series.bands) list.push_back(band ? Json((*band).*end) : Json());
  return list;
}

Json SeriesJson(const BandSeries& series) {
  return {{"statistic", KeyOf(series.statistic)},
          {"scale", series.scale.logarithmic ? "log" : "linear"},
          {"unit", series.scale.unit},
          {"side", kSideNames[static_cast<size_t>(series.side)]},
          {"low", EndsOf(series, &Band::low)},
          {"high", EndsOf(series, &Band::high)}};
}

Result<std::vector<std::optional<Band>>> ReadBands(const Json& json, size_t phases) {
  const Json* low = ListOf(json, "low");
  const Json* high = ListOf(json, "high");
  if (low == nullptr || high == nullptr || low->size() != phases || high->size() != phases) {
    return BadBaseline(fmt::format("low and high: expected lists of {} numbers", phases));
  }
  std::vector<std::optional<Band>> bands;
  for (size_t i = 0; i < phases; ++i) {
    if ((*low)[i].is_null() && (*high)[i].is_null()) {
      bands.emplace_back();
      continue;
    }
    const auto from = FiniteNumber(&(*low)[i]);
    const auto to = FiniteNumber(&(*high)[i]);
    if (!from || !to || *from > *to) {
      return BadBaseline(fmt::format(
          "low[{0}] and high[{0}]: expected two numbers in ascending order, or null", i));
    }
    bands.emplace_back(Band{*from, *to});
  }
  return bands;
}

Result<BandSeries> ReadSeries(const Json& json, size_t phases) {
  BandSeries series;
  const std::string key = TextOf(MemberOf(json, "statistic"));
  const auto* const statistic = std::find_if(kBandStatistics.begin(), kBandStatistics.end(),
                                             [&](BandStatistic one) { return KeyOf(one) == key; });
  if (statistic == kBandStatistics.end()) {
    return BadBaseline(fmt::format(
        "statistic is '{}'; expected one of: value, norm, abs_max, std, mean", key.substr(0, 80)));
  }
  series.statistic = *statistic;
  const std::string scale = TextOf(MemberOf(json, "scale"));
  if (scale != "log" && scale != "linear") {
    return BadBaseline(fmt::format("scale is '{}'; expected log or linear", scale.substr(0, 80)));
  }
  const auto unit = FiniteNumber(MemberOf(json, "unit"));
  if (!unit || *unit <= 0) return BadBaseline("unit: expected a positive number");
  series.scale = {scale == "log", *unit};
  const std::string side = TextOf(MemberOf(json, "side"));
  const auto* const found = std::find(std::begin(kSideNames), std::end(kSideNames), side);
  if (found == std::end(kSideNames)) {
    return BadBaseline(
        fmt::format("side is '{}'; expected both, above or below", side.substr(0, 80)));
  }
  series.side = static_cast<BandSide>(found - std::begin(kSideNames));
  auto bands = ReadBands(json, phases);
  if (!bands.ok()) return bands.status();
  series.bands = std::move(bands.value());
  return series;
}

Result<TensorBands> ReadTensor(const Json& json, size_t phases) {
  TensorBands tensor;
  tensor.tensor = TextOf(MemberOf(json, "name"));
  tensor.loss = IsTrue(MemberOf(json, "loss"));
  const Json* list = ListOf(json, "bands");
  if (tensor.tensor.empty() || list == nullptr) {
    return BadBaseline("expected an object with 'name' and 'bands'");
  }
  for (const Json& one : *list) {
    auto series = ReadSeries(one, phases);
    if (!series.ok()) return series.status().WithContext(tensor.tensor.substr(0, 200));
    tensor.series.push_back(std::move(series.value()));
  }
  return tensor;
}

Result<std::vector<Step>> ReadPhases(const Json& json) {
  const Json* list = ListOf(json, "phases");
  std::vector<Step> phases;
  if (list == nullptr || list->empty() || list->size() > kMostPhases) {
    return BadBaseline(fmt::format("phases: expected a list of 1 to {} steps", kMostPhases));
  }
  for (const Json& one : *list) {
    const auto step = StepNumber(&one);
    if (!step || *step < (phases.empty() ? 0 : phases.back() + 1) ||
        (phases.empty() && *step != 0)) {
      return BadBaseline("phases: expected steps in ascending order, from 0");
    }
    phases.push_back(*step);
  }
  return phases;
}

}  // namespace

double BandSeries::Distance(size_t phase, double value) const {
  if (!bands[phase]) return 0;
  const double low = scale.PositionOf(bands[phase]->low);
  const double high = scale.PositionOf(bands[phase]->high);
  // A file may have a range of no width; what is outside of it is far outside.
  const double half = std::max((high - low) / 2, 1e-6);
  const double at = scale.PositionOf(value);
  if (at > high && side != BandSide::kBelow) return (at - high) / half;
  if (at < low && side != BandSide::kAbove) return (at - low) / half;
  return 0;
}

std::optional<size_t> Baseline::PhaseOf(Step step) const {
  if (step > last_step || step < 0) return std::nullopt;
  const auto after = std::upper_bound(phases.begin(), phases.end(), step);
  return static_cast<size_t>(after - phases.begin()) - 1;
}

std::vector<Step> PhasesUpTo(Step last_step) {
  std::vector<Step> phases = {0};
  for (int half_octave = 0;; ++half_octave) {
    const double start = std::round(std::pow(2, half_octave / 2.0));
    if (start > static_cast<double>(last_step) || phases.size() == kMostPhases) return phases;
    const auto step = static_cast<Step>(start);
    if (step > phases.back()) phases.push_back(step);
  }
}

Json ToJson(const Baseline& baseline) {
  Json runs = Json::array();
  for (const LearnedRun& run : baseline.runs) {
    runs.push_back({{"run", run.run}, {"command", run.command}, {"last_step", run.last_step}});
  }
  Json tensors = Json::array();
  for (const TensorBands& tensor : baseline.tensors) {
    Json bands = Json::array();
    for (const BandSeries& series : tensor.series) bands.push_back(SeriesJson(series));
    tensors.push_back(
        {{"name", tensor.tensor}, {"loss", tensor.loss}, {"bands", std::move(bands)}});
  }
  return {{"format", kFormat},
          {"version", kVersion},
          {"time", baseline.time},
          {"runs", std::move(runs)},
          {"phases", baseline.phases},
          {"last_step", baseline.last_step},
          {"tensors", std::move(tensors)}};
}

Result<Baseline> BaselineFromJson(const Json& json) {
  if (TextOf(MemberOf(json, "format")) != kFormat) {
    return BadBaseline(
        fmt::format("not a baseline: expected an object whose format is '{}'", kFormat));
  }
  const Json* version = MemberOf(json, "version");
  if (version == nullptr || !version->is_number_integer() || version->get<int64_t>() != kVersion) {
    return BadBaseline(fmt::format("version is {}; expected {}",
                                   version == nullptr ? "missing" : version->dump().substr(0, 80),
                                   kVersion));
  }
  Baseline baseline;
  baseline.time = FiniteNumber(MemberOf(json, "time")).value_or(0);
  if (const Json* runs = ListOf(json, "runs")) {
    for (const Json& run : *runs) {
      baseline.runs.push_back({TextOf(MemberOf(run, "run")), TextOf(MemberOf(run, "command")),
                               StepNumber(MemberOf(run, "last_step")).value_or(0)});
    }
  }
  auto phases = ReadPhases(json);
  if (!phases.ok()) return phases.status();
  baseline.phases = std::move(phases.value());
  const auto last_step = StepNumber(MemberOf(json, "last_step"));
  if (!last_step) return BadBaseline("last_step: expected a non-negative integer");
  baseline.last_step = *last_step;
  const Json* tensors = ListOf(json, "tensors");
  if (tensors == nullptr) return BadBaseline("tensors: expected a list");
  for (const Json& one : *tensors) {
    auto tensor = ReadTensor(one, baseline.phases.size());
    if (!tensor.ok()) {
      return tensor.status().WithContext(fmt::format("tensors[{}]", baseline.tensors.size()));
    }
    baseline.tensors.push_back(std::move(tensor.value()));
  }
  return baseline;
}

Result<Baseline> ReadBaseline(const std::string& path) {
  const auto text = os::ReadPlainFile(path, kMostBaselineBytes);
  if (!text) {
    return Status(
        Code::kNotFound,
        fmt::format("cannot open {}: expected a baseline file of 'warden baseline learn'", path));
  }
  const auto json = ParseJson(*text);
  if (!json.ok()) return json.status().WithContext(path);
  auto baseline = BaselineFromJson(json.value());
  if (!baseline.ok()) return baseline.status().WithContext(path);
  return baseline;
}

Status WriteBaseline(const std::string& path, const Baseline& baseline) {
  return os::ReplaceFile(path, DumpLikePython(ToJson(baseline)) + "\n", 0644);
}

}  // namespace warden::rules
