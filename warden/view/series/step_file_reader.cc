#include "warden/view/series/step_file_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "warden/base/reduction.h"
#include "warden/format/record.h"
#include "warden/stats/element.h"
#include "warden/stats/reductions.h"

namespace warden::view {
namespace {

// So much of an event file is read at once. Longer stretches would be mapped, and to map and unmap
// a file of small records costs more than to copy it.
constexpr uint64_t kWindow = 127 << 10;
// Of one file; the rest is counted.
constexpr size_t kMostProblems = 4;
// Of one record: reading it cannot be stopped, and takes a second or two. Nobody writes larger
// ones, but an index file may say so of a file of holes.
constexpr uint64_t kMostBytes = uint64_t{2} << 30;

// All that is kept of a tensor of many elements. The others follow from these.
constexpr std::array<Reduction, 11> kComputed = {
    Reduction{ReductionOp::kMin},       Reduction{ReductionOp::kMax},
    Reduction{ReductionOp::kMean},      Reduction{ReductionOp::kStd},
    Reduction{ReductionOp::kSum},       Reduction{ReductionOp::kL1},
    Reduction{ReductionOp::kL2},        Reduction{ReductionOp::kMin, true},
    Reduction{ReductionOp::kMax, true}, Reduction{ReductionOp::kMean, true},
    Reduction{ReductionOp::kStd, true}};

auto CellKey(const Cell& cell) { return std::pair(cell.tensor, cell.statistic); }

Result<double> FirstElement(const format::EventValue& value) {
  double number = 0;
  Status status = stats::VisitReal(value.dtype, [&]<class T>() {
    if (!value.data().empty())
      number = stats::ToDouble(stats::ReadElement<T>(value.data().data(), 0));
  });
  if (!status.ok()) return status;
  if (value.data().empty()) return Status(Code::kCorrupt, "a saved reduction has no value");
  return number;
}

// The places of entries in the order in which they lie in the file.
std::vector<size_t> InOrderOfFile(const std::vector<format::IndexEntry>& entries) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](size_t i) { return std::pair(entries[i].start, i); };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::sort(order, {}, key);
  return order;
}

}  // namespace

Result<StepData> StepFileReader::Read(const What& what, const std::stop_token& stop) {
  auto text = store_->ReadAll(what.index_key);
  if (!text.ok()) return text.status();
  auto parsed = parser_.Parse(AsText(text.value().bytes));
  if (!parsed.ok()) return parsed.status();
  const format::IndexFile& index = *parsed.value();
  std::shared_ptr<const storage::Object> events;
  if (!index.entries.empty()) {
    auto opened = OpenEvents(index);
    if (!opened.ok()) return opened.status();
    events = std::move(opened.value());
  }
  data_ = StepData();
  data_.step = what.step;
  data_.mode = index.mode;
  data_.mode_step = index.mode_step;
  saved_reductions_.clear();
  problems_ = 0;
  if (events != nullptr) ReadRecords(what, index, *events, stop);
  AddShapes(index);
  Finish();
  return std::move(data_);
}

Result<std::shared_ptr<const storage::Object>> StepFileReader::OpenEvents(
    const format::IndexFile& index) const {
  if (index.event_file.empty()) return Status(Code::kBadIndex, "the index names no event file");
  auto opened = store_->Open(index.event_file);
  if (opened.status().code() == Code::kNotFound) {
    return Status(Code::kUnavailable, fmt::format("event file {} not found", index.event_file));
  }
  return opened;
}

void StepFileReader::ReadRecords(const What& what, const format::IndexFile& index,
                                 const storage::Object& events, const std::stop_token& stop) {
  window_ = Window();
  for (const size_t place : InOrderOfFile(index.entries)) {
    if (stop.stop_requested()) break;
    const format::IndexEntry& entry = index.entries[place];
    const Status status = ReadRecord(what, place, entry, events);
    if (status.ok()) continue;
    if (status.code() == Code::kTruncated) data_.incomplete = true;
    AddProblem(store_->Locate(index.event_file), entry.start, status);
  }
  window_ = Window();
}

Result<Bytes> StepFileReader::BytesOf(const format::IndexEntry& entry,
                                      const storage::Object& events) {
  const auto holds = [&] {
    return entry.start >= window_.start &&
           entry.start - window_.start <= window_.blob.bytes.size() &&
           entry.length <= window_.blob.bytes.size() - (entry.start - window_.start);
  };
  if (!holds()) {
    uint64_t length = entry.length;
    if (entry.start < events.size()) {
      length = std::max(length, std::min(kWindow, events.size() - entry.start));
    }
    auto blob = events.Read(entry.start, length);
    if (!blob.ok()) return blob.status();
    window_ = {entry.start, std::move(blob.value())};
  }
  return window_.blob.bytes.subspan(entry.start - window_.start, entry.length);
}

Status StepFileReader::ReadRecord(const What& what, size_t place, const format::IndexEntry& entry,
                                  const storage::Object& events) {
  if (entry.length > kMostBytes) {
    return Status(Code::kInvalid,
                  fmt::format("a record of {} bytes is too large to show", entry.length));
  }
  const bool passed_over = !what.large && entry.length > kLarge;
  auto bytes = passed_over ? Result<Bytes>(Bytes()) : BytesOf(entry, events);
  if (!bytes.ok()) return bytes.status();
  const auto meaning = names_.Resolve(place, entry.tensor);
  if (!meaning) return Status(Code::kInvalid, "the run has too many tensors to show all");
  if (meaning->is_new) Describe(*meaning, {}, nullptr);
  data_.saved.push_back(meaning->tensor);
  if (passed_over) return Status();
  if (entry.length > kLarge) large_bytes_ += entry.length;
  auto payload = format::ParseRecord(bytes.value(), entry.start);
  if (!payload.ok()) return payload.status();
  auto event = format::ParseEvent(payload.value());
  if (!event.ok()) return event.status();
  if (event.value().values.empty() ||
      event.value().values[0].kind != format::EventValue::Kind::kTensor) {
    return Status(Code::kCorrupt, "the record contains no tensor");
  }
  const double time = event.value().wall_time;
  if (std::isfinite(time) && time > 0 && !(data_.time <= time)) data_.time = time;
  const format::EventValue& value = event.value().values[0];
  if (meaning->reduction) return AddReduction(meaning->tensor, *meaning->reduction, value);
  Describe({.tensor = meaning->tensor, .reduction = {}}, value.dtype, &value.shape);
  return AddValues(meaning->tensor, value);
}

Status StepFileReader::AddReduction(TensorId tensor, Statistic reduction,
                                    const format::EventValue& value) {
  const Result<double> number = FirstElement(value);
  if (!number.ok()) return number.status();
  saved_reductions_.push_back({tensor, reduction, number.value()});
  return Status();
}

Status StepFileReader::AddValues(TensorId tensor, const format::EventValue& value) {
  const stats::TensorRef ref{value.data().data(), value.dtype, value.shape};
  if (value.dtype == DType::kString || IsComplex(value.dtype)) return Status();
  if (ref.count() == 1) {
    const Result<double> number = FirstElement(value);
    if (!number.ok()) return number.status();
    data_.cells.push_back({tensor, kValue, number.value()});
    return Status();
  }
  const Result<stats::Summary> summary = stats::Summarize(ref);
  if (!summary.ok()) return summary.status();
  const stats::Summary& s = summary.value();
  for (const Reduction reduction : kComputed) {
    // Rounded as the trial's are, and of a float32 tensor they need no more room than its values.
    const double number = stats::Reduce(s, reduction, stats::Flavor::kComputed);
    data_.cells.push_back({tensor, static_cast<Statistic>(reduction.index()),
                           stats::RoundToType(number, value.dtype)});
  }
  const auto share = [&](uint64_t count) {
    return s.count == 0 ? 0 : static_cast<double>(count) / static_cast<double>(s.count);
  };
  data_.cells.push_back({tensor, kNans, share(s.nan_count)});
  data_.cells.push_back({tensor, kInfs, share(s.inf_count())});
  data_.cells.push_back({tensor, kZeros, share(s.zero_count)});
  return Status();
}

void StepFileReader::AddShapes(const format::IndexFile& index) {
  for (const format::IndexShape& shape : index.shapes) {
    const auto meaning = names_.Intern(shape.tensor);
    if (!meaning) return;
    Describe(*meaning, {}, &shape.shape);
    data_.saved.push_back(meaning->tensor);
  }
}

void StepFileReader::Describe(const TensorNames::Meaning& meaning, std::optional<DType> dtype,
                              const std::vector<int64_t>* shape) {
  const TensorId tensor = meaning.tensor;
  if (tensor >= told_.size()) told_.resize(tensor + 1);
  Told& told = told_[tensor];
  Description description;
  description.tensor = tensor;
  if (meaning.is_new) description.name = std::string(names_.NameOf(tensor));
  if (dtype && told.dtype != dtype) told.dtype = description.dtype = dtype;
  if (shape != nullptr && told.shape != *shape) told.shape = description.shape = *shape;
  if (description.name || description.dtype || description.shape) {
    data_.described.push_back(std::move(description));
  }
}

void StepFileReader::AddProblem(const std::string& file, std::optional<uint64_t> offset,
                                const Status& status) {
  if (++problems_ <= kMostProblems) data_.problems.push_back({file, offset, status.message()});
}

// What was saved counts before what is computed, and the later of two of one name.
void StepFileReader::Finish() {
  if (problems_ > kMostProblems) {
    data_.problems.back().message +=
        fmt::format("; {} more records have this problem", problems_ - kMostProblems);
  }
  std::vector<Cell>& cells = data_.cells;
  cells.insert(cells.end(), saved_reductions_.begin(), saved_reductions_.end());
  if (!std::ranges::is_sorted(cells, std::ranges::less_equal(), CellKey)) {
    std::vector<std::tuple<std::pair<TensorId, Statistic>, size_t, double>> order;
    for (size_t i = 0; i < cells.size(); ++i) {
      order.emplace_back(CellKey(cells[i]), cells.size() - i, cells[i].value);
    }

    std::ranges::sort(order, {}, [](const auto& o) { return std::pair(get<0>(o), get<1>(o)); });
    cells.clear();
    for (const auto& [key, place, value] : order) {
      if (!cells.empty() && CellKey(cells.back()) == key) continue;
      cells.push_back({key.first, key.second, value});
    }
  }
  std::ranges::sort(data_.saved);
  data_.saved.erase(std::ranges::unique(data_.saved).begin(), data_.saved.end());
}

}  // namespace warden::view
