#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/classification_answer.h"
#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/dashboard/tensors/tensor_store.h"
#include "warden/dashboard/tensors/value_answer.h"
#include "warden/view/values/activation_map.h"
#include "warden/view/values/attention_heads.h"
#include "warden/view/values/run_values.h"
#include "warden/view/values/value_distributions.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

constexpr Step kLastStep = std::numeric_limits<Step>::max();
constexpr int64_t kRows = 60, kMostRows = 400;
constexpr int64_t kBins = 64, kFewestBins = 2, kMostBins = 512;
constexpr int64_t kMostImages = 1 << 20;
constexpr int64_t kHeadCells = 32, kMostHeadCells = 128;

Result<std::shared_ptr<view::RunValues>> ValuesOf(const RunRequest& request) {
  return request.run->View<view::RunValues>(
      [](const RunPlaces& places) -> Result<std::shared_ptr<view::RunValues>> {
        if (places.tensors.empty()) {
          return Status(Code::kNotFound, fmt::format("run '{}' has no tensors", places.name));
        }
        auto store = OpenTensors(places);
        if (!store.ok()) return store.status();
        return std::make_shared<view::RunValues>(places.tensors, std::move(store.value()));
      });
}

// A value and the step at which it was asked for.
struct Read {
  view::RunValues::At at;
  view::SavedTensor saved;
  trial::TensorValue value;
};

Result<Read> ReadTensor(const RunRequest& request, std::string_view parameter,
                        const std::string& worker) {
  auto tensor = request.query.Needed(parameter);
  if (!tensor.ok()) return tensor.status();
  if (const auto given = request.query.Needed("step"); !given.ok()) return given.status();
  const auto step = request.query.Int("step", 0, kLastStep, 0);
  if (!step.ok()) return step.status();
  const auto mode = request.query.ModeOf("mode");
  if (!mode.ok()) return mode.status();
  const auto values = ValuesOf(request);
  if (!values.ok()) return values.status();
  Read read{{tensor.value(), mode.value(), step.value(), worker}, {}, {}};
  auto saved = values.value()->Find(read.at);
  if (!saved.ok()) return saved.status();
  read.saved = std::move(saved.value());
  auto value = values.value()->Read(read.saved, tensor.value());
  if (!value.ok()) return value.status();
  read.value = std::move(value.value());
  return read;
}

// ---- distributions

Result<std::optional<Step>> OptionalStep(const Query& query, std::string_view name) {
  if (query.Text(name).empty()) return std::optional<Step>();
  const auto step = query.Int(name, 0, kLastStep, 0);
  if (!step.ok()) return step.status();
  return std::optional(step.value());
}

Result<view::DistributionQuery> ParseDistributionQuery(const Query& query) {
  auto tensor = query.Needed("tensor");
  if (!tensor.ok()) return tensor.status();
  const auto mode = query.ModeOf("mode");
  if (!mode.ok()) return mode.status();
  const auto from = OptionalStep(query, "from");
  if (!from.ok()) return from.status();
  const auto to = OptionalStep(query, "to");
  if (!to.ok()) return to.status();
  const auto rows = query.Int("rows", 1, kMostRows, kRows);
  if (!rows.ok()) return rows.status();
  const auto bins = query.Int("bins", kFewestBins, kMostBins, kBins);
  if (!bins.ok()) return bins.status();
  return view::DistributionQuery{{tensor.value(), mode.value(), query.Text("worker"), from.value(),
                                  to.value(), static_cast<size_t>(rows.value())},
                                 static_cast<size_t>(bins.value())};
}

http::Response AnswerDistributions(const RunRequest& request) {
  const auto query = ParseDistributionQuery(request.query);
  if (!query.ok()) return ErrorAnswer(query.status());
  const auto values = ValuesOf(request);
  if (!values.ok()) return ErrorAnswer(values.status());
  const auto made = view::MakeDistributions(values.value().get(), query.value());
  if (!made.ok()) return ErrorAnswer(made.status());
  const view::Distributions& d = made.value();
  Json header = {{"kind", d.of_values ? "values" : "reductions"},
                 {"tensor", query.value().span.tensor},
                 {"mode", ModeName(query.value().span.mode)},
                 {"count", d.count},
                 {"problems", d.problems}};
  view::Columns columns;
  columns.Add("steps", d.steps);
  if (d.of_values) {
    header["sampled"] = d.sampled;
    header["scale"] = d.linear_within > 0 ? "symlog" : "linear";
    header["linear_within"] = d.linear_within;
    columns.Add("edges", d.edges);
    columns.Add("counts", d.counts);
    columns.Add("quantiles", d.quantiles);
    columns.Add("not_finite", d.not_finite);
  } else {
    columns.Add("low", d.low);
    columns.Add("mean", d.mean);
    columns.Add("high", d.high);
    columns.Add("std", d.std);
  }
  return ColumnsAnswer(columns.Encode(header));
}

// ---- value

http::Response AnswerValue(const RunRequest& request) {
  const auto read = ReadTensor(request, "tensor", request.query.Text("worker"));
  if (!read.ok()) return ErrorAnswer(read.status());
  const Read& r = read.value();
  const Json header = {{"tensor", r.at.tensor},
                       {"step", r.at.step},
                       {"mode", ModeName(r.at.mode)},
                       {"worker", r.saved.worker}};
  return ValueAnswer(r.value, request.query.Text("slice"), header);
}

// ---- activation_map

http::Response AnswerActivationMap(const RunRequest& request) {
  const auto image = request.query.Int("image", 0, kMostImages, 0);
  if (!image.ok()) return ErrorAnswer(image.status());
  const auto activation = ReadTensor(request, "activation", request.query.Text("worker"));
  if (!activation.ok()) return ErrorAnswer(activation.status());
  const bool has_gradient = !request.query.Text("gradient").empty();
  trial::TensorValue gradient;
  if (has_gradient) {
    // Of the same worker, which saw the same pictures.
    auto read = ReadTensor(request, "gradient", activation.value().saved.worker);
    if (!read.ok()) return ErrorAnswer(read.status());
    gradient = std::move(read.value().value);
  }
  const auto made = view::MakeActivationMap(activation.value().value,
                                            has_gradient ? &gradient : nullptr, image.value());
  if (!made.ok()) return ErrorAnswer(made.status());
  const view::ActivationMap& map = made.value();
  view::Columns columns;
  columns.Add("values", map.values);
  return ColumnsAnswer(columns.Encode({{"shape", {map.height, map.width}},
                                       {"channels", map.channels},
                                       {"images", map.images},
                                       {"worker", activation.value().saved.worker}}));
}

// ---- classification

http::Response AnswerClassification(const RunRequest& request) {
  const auto labels = ReadTensor(request, "labels", request.query.Text("worker"));
  if (!labels.ok()) return ErrorAnswer(labels.status());
  // Of the same worker, which saw the same samples.
  const Read& truth = labels.value();
  const auto predictions = ReadTensor(request, "predictions", truth.saved.worker);
  if (!predictions.ok()) return ErrorAnswer(predictions.status());
  const Json header = {{"labels", truth.at.tensor},
                       {"predictions", predictions.value().at.tensor},
                       {"step", truth.at.step},
                       {"mode", ModeName(truth.at.mode)},
                       {"worker", truth.saved.worker}};
  return ClassificationAnswer(truth.value, predictions.value().value, header);
}

// ---- attention

Json HeadJson(const view::AttentionHead& head) {
  return {{"entropy", head.entropy},
          {"entropy_share", head.entropy_share},
          {"pattern", view::HeadPatternName(head.pattern)},
          {"top_key", head.top_key},
          {"top_key_weight", head.top_key_weight}};
}

http::Response AnswerAttention(const RunRequest& request) {
  const auto sample = request.query.Int("sample", 0, kMostImages, 0);
  if (!sample.ok()) return ErrorAnswer(sample.status());
  const auto cells = request.query.Int("cells", 1, kMostHeadCells, kHeadCells);
  if (!cells.ok()) return ErrorAnswer(cells.status());
  const auto read = ReadTensor(request, "tensor", request.query.Text("worker"));
  if (!read.ok()) return ErrorAnswer(read.status());
  const auto made = view::MakeAttentionHeads(read.value().value, sample.value(), cells.value());
  if (!made.ok()) return ErrorAnswer(made.status());
  const view::AttentionHeads& attention = made.value();
  Json header = {{"tensor", read.value().at.tensor},    {"step", read.value().at.step},
                 {"worker", read.value().saved.worker}, {"samples", attention.samples},
                 {"queries", attention.queries},        {"keys", attention.keys},
                 {"causal", attention.causal},          {"height", attention.rows},
                 {"width", attention.columns},          {"heads", Json::array()}};
  for (const view::AttentionHead& head : attention.heads) header["heads"].push_back(HeadJson(head));
  view::Columns columns;
  columns.Add("weights", attention.pictures);
  return ColumnsAnswer(columns.Encode(header));
}

}  // namespace

std::vector<RunEndpoint> ValueEndpoints() {
  return {{"distributions", AnswerDistributions},
          {"value", AnswerValue},
          {"activation_map", AnswerActivationMap},
          {"classification", AnswerClassification},
          {"attention", AnswerAttention}};
}

}  // namespace warden::dashboard
