#include "warden/view/values/value_distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "warden/view/values/bin_edges.h"
#include "warden/view/values/numbers.h"

namespace warden::view {
namespace {

// Elements looked at for all steps together, 32 MB as doubles, and for each.
constexpr size_t kMostNumbers = 4 << 20;
constexpr size_t kMostOfOneStep = 64 << 10;
constexpr size_t kMostProblems = 5;
// What is read for one answer, about: two seconds of a disk's time.
constexpr uint64_t kMostBytesRead = uint64_t{2} << 30;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One step's values.
struct Row {
  Step step = 0;
  stats::Summary summary;
  std::vector<double> sample;  // Finite ones, ascending.
};

Result<Row> ReadRow(const RunValues& run, const SavedTensor& saved, const std::string& tensor,
                    size_t most) {
  const auto value = run.Read(saved, tensor);
  if (!value.ok()) return value.status();
  const auto numbers = Numbers::Of(value.value());
  if (!numbers.ok()) return numbers.status().WithContext(fmt::format("tensor '{}'", tensor));
  const auto summary = SummarizeNumbers(value.value());
  if (!summary.ok()) return summary.status();
  return Row{saved.step, summary.value(), SortedSample(numbers.value(), most)};
}

double UsualSize(const std::vector<double>& sample) {
  std::vector<double> sizes;
  sizes.reserve(sample.size());
  for (const double number : sample) {
    if (number != 0) sizes.push_back(std::abs(number));
  }
  if (sizes.empty()) return 0;
  const auto middle = sizes.begin() + static_cast<ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

// Between neighbours as NumPy does; the ends are those of all values, not only of the sample.
double QuantileOf(const Row& row, double q) {
  if (row.summary.finite_count() == 0) return kNan;
  if (q == 0 || row.sample.empty()) return row.summary.min;
  if (q == 1) return row.summary.max;
  const double position = q * static_cast<double>(row.sample.size() - 1);
  const auto low = static_cast<size_t>(position);
  const size_t high = std::min(low + 1, row.sample.size() - 1);
  const double f = position - static_cast<double>(low);
  return row.sample[low] * (1 - f) + row.sample[high] * f;
}

void AddRow(const Row& row, Distributions* out) {
  out->steps.push_back(static_cast<double>(row.step));
  out->count = row.summary.count;
  const uint64_t finite = row.summary.finite_count();
  out->not_finite.push_back(static_cast<double>(row.summary.count - finite));
  for (const double q : kQuantiles) out->quantiles.push_back(QuantileOf(row, q));

  const double each =
      row.sample.empty() ? 0 : static_cast<double>(finite) / static_cast<double>(row.sample.size());
  auto from = row.sample.begin();
  for (size_t i = 1; i < out->edges.size(); ++i) {
    const auto to = i + 1 == out->edges.size()
                        ? row.sample.end()
                        : std::lower_bound(from, row.sample.end(), out->edges[i]);
    out->counts.push_back(static_cast<float>(static_cast<double>(to - from) * each));
    from = to;
  }
}

Distributions OfRows(const std::vector<Row>& rows, size_t bins) {
  Distributions out;
  std::vector<ValueRange> ranges;
  for (const Row& row : rows) {
    if (row.summary.finite_count() == 0) continue;
    ranges.push_back({row.summary.min, row.summary.max, UsualSize(row.sample)});
  }
  BinEdges edges = ChooseEdges(ranges, bins);
  out.linear_within = edges.linear_within;
  out.edges = std::move(edges.edges);
  for (const Row& row : rows) AddRow(row, &out);
  return out;
}

// The first problems, and the last as the error if nothing else came.
class Problems {
 public:
  void Add(const Status& status) {
    last_ = status;
    if (told_.size() < kMostProblems) told_.push_back(status.message());
  }
  const Status& last() const { return last_; }
  std::vector<std::string>& told() { return told_; }

 private:
  Status last_;
  std::vector<std::string> told_;
};

Result<Distributions> OfValues(const RunValues& run, const std::vector<SavedTensor>& steps,
                               const DistributionQuery& query) {
  const size_t most = std::min(kMostOfOneStep, kMostNumbers / steps.size());
  std::vector<Row> rows;
  Problems problems;
  bool sampled = false;
  for (const SavedTensor& saved : steps) {
    if (!saved.records.raw) continue;
    auto row = ReadRow(run, saved, query.span.tensor, most);
    if (!row.ok()) {
      problems.Add(row.status());
      continue;
    }
    sampled = sampled || row.value().summary.count > most;
    rows.push_back(std::move(row.value()));
  }
  if (rows.empty()) return problems.last();
  Distributions out = OfRows(rows, query.bins);
  out.sampled = sampled ? most : 0;
  out.problems = std::move(problems.told());
  return out;
}

// Fewer steps of large tensors, since each is read whole: evenly, with the first and the last.
std::vector<SavedTensor> WithinBytes(const std::vector<SavedTensor>& steps) {
  uint64_t largest = 1;
  for (const SavedTensor& saved : steps) {
    if (saved.records.raw) largest = std::max(largest, saved.records.raw->length);
  }
  const auto most = static_cast<size_t>(std::max<uint64_t>(kMostBytesRead / largest, 2));
  if (steps.size() <= most) return steps;
  std::vector<SavedTensor> some;
  for (size_t i = 0; i < most; ++i) some.push_back(steps[i * (steps.size() - 1) / (most - 1)]);
  return some;
}

Result<double> ReductionOf(const RunValues& run, const SavedTensor& saved, ReductionOp op) {
  const auto number = run.ReadReduction(saved, {op});
  if (!number.ok()) return number.status();
  return number.value().value_or(kNan);
}

Result<Distributions> OfReductions(const RunValues& run, const std::vector<SavedTensor>& steps) {
  Distributions out;
  out.of_values = false;
  Problems problems;
  for (const SavedTensor& saved : steps) {
    if (saved.records.reductions.empty()) continue;
    std::array<double, 5> numbers;
    constexpr std::array kOps = {ReductionOp::kMin, ReductionOp::kMean, ReductionOp::kMax,
                                 ReductionOp::kStd, ReductionOp::kVariance};
    Status status;
    for (size_t i = 0; i < kOps.size() && status.ok(); ++i) {
      const auto number = ReductionOf(run, saved, kOps[i]);
      status = number.status();
      if (number.ok()) numbers[i] = number.value();
    }
    if (!status.ok()) {
      problems.Add(status);
      continue;
    }
    out.steps.push_back(static_cast<double>(saved.step));
    out.low.push_back(numbers[0]);
    out.mean.push_back(numbers[1]);
    out.high.push_back(numbers[2]);
    out.std.push_back(std::isnan(numbers[3]) ? std::sqrt(numbers[4]) : numbers[3]);
  }
  if (out.steps.empty() && !problems.last().ok()) return problems.last();
  out.problems = std::move(problems.told());
  return out;
}

}  // namespace

Result<Distributions> MakeDistributions(RunValues* run, const DistributionQuery& query) {
  const auto steps = run->Sample(query.span);
  if (!steps.ok()) return steps.status();
  const auto any = [&](auto has) {
    return std::any_of(steps.value().begin(), steps.value().end(), has);
  };
  if (any([](const SavedTensor& saved) { return saved.records.raw.has_value(); })) {
    const std::vector<SavedTensor> some = WithinBytes(steps.value());
    auto made = OfValues(*run, some, query);
    if (made.ok() && some.size() < steps.value().size()) {
      made.value().problems.push_back(fmt::format("the tensor is large; showing {} of {} steps",
                                                  some.size(), steps.value().size()));
    }
    return made;
  }
  if (any([](const SavedTensor& saved) { return !saved.records.reductions.empty(); })) {
    return OfReductions(*run, steps.value());
  }
  return Status(Code::kTensorUnavailableForStep,
                fmt::format("only the shape of tensor '{}' was saved", query.span.tensor));
}

}  // namespace warden::view
