#include "warden/view/values/slice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "warden/base/strings.h"

namespace warden::view {
namespace {

constexpr std::string_view kAcceptedSlices =
    "expected comma-separated whole numbers, ranges such as 2:8, 2:8:2 or ':', and at most one "
    "'...'";

Status BadTerm(std::string_view term, std::string_view why) {
  return Status(Code::kInvalid, fmt::format("slice part '{}' {}; {}", term, why, kAcceptedSlices));
}

// The pieces between the separators, trimmed, empty ones among them.
std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(separator, start), text.size());
    pieces.push_back(Trim(text.substr(start, end - start)));
    start = end + 1;
  }
  return pieces;
}

Result<SliceTerm> ParseRange(std::string_view text) {
  const std::vector<std::string_view> numbers = Split(text, ':');
  if (numbers.size() > 3) return BadTerm(text, "has more than two colons");
  SliceTerm term;
  std::optional<int64_t>* const fields[] = {&term.start, &term.stop, &term.step};
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].empty()) continue;
    *fields[i] = ParseInt(numbers[i]);
    if (!*fields[i])
      return BadTerm(text, fmt::format("contains '{}', which is not a whole number", numbers[i]));
  }
  if (term.step == 0) return BadTerm(text, "has a step of 0");
  return term;
}

Result<SliceTerm> ParseTerm(std::string_view text) {
  if (text == "...") return SliceTerm{SliceTerm::Kind::kEllipsis};
  if (text.find(':') != text.npos) return ParseRange(text);
  const auto index = ParseInt(text);
  if (!index) return BadTerm(text, "is not a whole number");
  return SliceTerm{SliceTerm::Kind::kIndex, *index};
}

// The bound as a place of the axis, as NumPy takes it: from the end if negative, then cut to what
// there is.
int64_t Clip(int64_t bound, int64_t size, int64_t least, int64_t most) {
  if (bound < 0) bound += size;
  return std::clamp(bound, least, most);
}

AxisSlice ResolveRange(const SliceTerm& term, int64_t size) {
  // A step that leads beyond every axis does the same as the longest that can be computed with.
  constexpr int64_t kLongest = std::numeric_limits<int64_t>::max() / 2;
  const int64_t step = std::clamp(term.step.value_or(1), -kLongest, kLongest);
  AxisSlice axis{.start = 0, .count = 0, .step = step};
  if (step > 0) {
    axis.start = term.start ? Clip(*term.start, size, 0, size) : 0;
    const int64_t stop = term.stop ? Clip(*term.stop, size, 0, size) : size;
    if (stop > axis.start) axis.count = (stop - axis.start - 1) / step + 1;
  } else {
    axis.start = term.start ? Clip(*term.start, size, -1, size - 1) : size - 1;
    const int64_t stop = term.stop ? Clip(*term.stop, size, -1, size - 1) : -1;
    if (axis.start > stop) axis.count = (axis.start - stop - 1) / -step + 1;
  }
  return axis;
}

Result<AxisSlice> ResolveIndex(int64_t index, size_t axis, int64_t size) {
  if (size == 0) {
    return Status(Code::kInvalid, fmt::format("slice index {}: axis {} is empty", index, axis));
  }
  if (index < -size || index >= size) {
    return Status(Code::kInvalid,
                  fmt::format("slice index {} is out of range for axis {} with {} elements; "
                              "expected {} to {}",
                              index, axis, size, -size, size - 1));
  }
  return AxisSlice{.start = index < 0 ? index + size : index, .count = 1, .keep = false};
}

std::string AxisText(const AxisSlice& axis, int64_t size) {
  if (!axis.keep) return fmt::format("{}", axis.start);
  if (axis.count == 0) return "0:0";
  const bool forward = axis.step == 1 || axis.count == 1;
  if (axis.start == 0 && axis.count == size && forward) return ":";
  const int64_t last = axis.start + (axis.count - 1) * axis.step;
  if (axis.count == 1) return fmt::format("{}:{}", last, last + 1);
  if (axis.step == 1) return fmt::format("{}:{}", axis.start, last + 1);
  // Backwards to the first element there is no stop that could be written.
  if (axis.step < 0 && last == 0) return fmt::format("{}::{}", axis.start, axis.step);
  return fmt::format("{}:{}:{}", axis.start, axis.step < 0 ? last - 1 : last + 1, axis.step);
}

uint64_t CountOf(std::span<const AxisSlice> axes) {
  uint64_t count = 1;
  for (const AxisSlice& axis : axes) {
    if (axis.count == 0) return 0;
    const auto size = static_cast<uint64_t>(axis.count);
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    count = count > kMost / size ? kMost : count * size;
  }
  return count;
}

// The terms for all axes: what is left out, at "..." or else at the end, is taken whole.
Result<std::vector<SliceTerm>> OnePerAxis(std::span<const SliceTerm> terms,
                                          std::span<const int64_t> shape) {
  const auto is_ellipsis = [](const SliceTerm& term) {
    return term.kind == SliceTerm::Kind::kEllipsis;
  };
  const auto ellipsis = std::find_if(terms.begin(), terms.end(), is_ellipsis);
  const size_t given = terms.size() - (ellipsis == terms.end() ? 0 : 1);
  if (given > shape.size()) {
    return Status(Code::kInvalid, fmt::format("the slice has {} axes, the tensor has {}: {}", given,
                                              shape.size(), ShapeText(shape)));
  }
  std::vector<SliceTerm> all(terms.begin(), ellipsis);
  all.resize(all.size() + shape.size() - given);
  if (ellipsis != terms.end()) all.insert(all.end(), ellipsis + 1, terms.end());
  return all;
}

}  // namespace

Result<std::vector<SliceTerm>> ParseSlice(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('[') && text.ends_with(']')) text = Trim(text.substr(1, text.size() - 2));
  std::vector<SliceTerm> terms;
  if (text.empty()) return terms;
  // As Python takes "0," for a tuple of one.
  if (text.ends_with(',')) text.remove_suffix(1);
  bool ellipsis = false;
  for (const std::string_view piece : Split(text, ',')) {
    auto term = ParseTerm(piece);
    if (!term.ok()) return term.status();
    const bool another = term.value().kind == SliceTerm::Kind::kEllipsis;
    if (another && ellipsis) return BadTerm(piece, "appears twice");
    ellipsis = ellipsis || another;
    terms.push_back(term.value());
  }
  return terms;
}

Result<ResolvedSlice> ResolveSlice(std::span<const SliceTerm> terms,
                                   std::span<const int64_t> shape) {
  const auto all = OnePerAxis(terms, shape);
  if (!all.ok()) return all.status();
  ResolvedSlice slice;
  std::vector<std::string> texts;
  for (size_t i = 0; i < shape.size(); ++i) {
    const SliceTerm& term = all.value()[i];
    const auto axis = term.kind == SliceTerm::Kind::kIndex
                          ? ResolveIndex(term.index, i, shape[i])
                          : Result<AxisSlice>(ResolveRange(term, shape[i]));
    if (!axis.ok()) return axis.status();
    slice.axes.push_back(axis.value());
    if (axis.value().keep) slice.shape.push_back(axis.value().count);
    texts.push_back(AxisText(axis.value(), shape[i]));
  }
  slice.count = CountOf(slice.axes);
  slice.text = fmt::format("{}", fmt::join(texts, ", "));
  return slice;
}

void ForEachPlace(const ResolvedSlice& slice, std::span<const int64_t> shape,
                  const std::function<void(uint64_t)>& visit) {
  const size_t rank = slice.axes.size();
  std::vector<int64_t> strides(rank, 1);
  if (slice.count == 0) return;
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  int64_t place = 0;
  for (size_t i = 0; i < rank; ++i) place += slice.axes[i].start * strides[i];
  std::vector<int64_t> at(rank, 0);
  for (uint64_t done = 0;;) {
    visit(static_cast<uint64_t>(place));
    if (++done == slice.count) return;
    // To the next element; axes that are through begin again, the last one first.
    for (size_t i = rank; i-- > 0;) {
      const AxisSlice& axis = slice.axes[i];
      if (++at[i] < axis.count) {
        place += axis.step * strides[i];
        break;
      }
      at[i] = 0;
      place -= (axis.count - 1) * axis.step * strides[i];
    }
  }
}

std::string ShapeText(std::span<const int64_t> shape) {
  if (shape.empty()) return "scalar";
  return fmt::format("{}", fmt::join(shape, " x "));
}

}  // namespace warden::view
