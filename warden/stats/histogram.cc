#include "warden/stats/histogram.h"

#include <algorithm>
#include <bit>

#include "warden/stats/element.h"
#include "warden/stats/reductions.h"
#include "warden/stats/summary.h"

namespace warden::stats {
namespace {

constexpr int kPositiveEdges = (kBinEdges - 1) / 2;
constexpr int kZeroBin = kPositiveEdges;  // The bin that begins with zero.

constexpr std::array<double, kPositiveEdges> kPositive = [] {
  std::array<double, kPositiveEdges> edges{};
  double edge = 1e-12;
  for (double& e : edges) {
    e = edge;
    edge *= 1.1;
  }
  return edges;
}();

constexpr std::array<double, kBinEdges> kEdges = [] {
  std::array<double, kBinEdges> edges{};
  for (int i = 0; i < kPositiveEdges; ++i) {
    edges[kZeroBin + 1 + i] = kPositive[i];
    edges[kZeroBin - 1 - i] = -kPositive[i];
  }
  return edges;
}();

// The bits of positive doubles are in the order of their values. Cells are all doubles with the
// same exponent and the same first four bits of the fraction: the ends of a cell are at most a
// factor of 17/16 apart, so at most one edge, of which each is 1.1 times the last, is inside.
constexpr int kCellShift = 52 - 4;
constexpr uint64_t Cell(double value) { return std::bit_cast<uint64_t>(value) >> kCellShift; }
constexpr uint64_t kFirstCell = Cell(kPositive.front());
constexpr uint64_t kLastCell = Cell(kPositive.back());

// For each cell the number of edges up to its lower end. One cell before the first edge and one
// after the last stand for all cells beyond.
constexpr auto kEdgesBelow = [] {
  std::array<uint16_t, kLastCell - kFirstCell + 3> below{};
  uint16_t edge = 0;
  for (uint64_t cell = kFirstCell; cell <= kLastCell; ++cell) {
    const auto lower_end = std::bit_cast<double>(cell << kCellShift);
    while (edge < kPositiveEdges && kPositive[edge] <= lower_end) ++edge;
    below[cell - kFirstCell + 1] = edge;
  }
  below.back() = kPositiveEdges;
  return below;
}();

// The bits of the edges, and one that nothing reaches.
constexpr auto kEdgeBits = [] {
  std::array<uint64_t, kPositiveEdges + 1> bits{};
  for (int i = 0; i < kPositiveEdges; ++i) bits[i] = std::bit_cast<uint64_t>(kPositive[i]);
  bits.back() = ~uint64_t{0};
  return bits;
}();

// How many positive edges are at or below the non-negative double with these bits.
inline int EdgesUpTo(uint64_t bits) {
  const uint64_t cell = std::clamp(bits >> kCellShift, kFirstCell - 1, kLastCell + 1);
  const int below = kEdgesBelow[cell - (kFirstCell - 1)];
  return below + (kEdgeBits[below] <= bits ? 1 : 0);
}

// One slot for each bin, one before them and one after them. NaN is in one of those two.
using Slots = std::array<uint64_t, kBinEdges + 1>;

// Arithmetic in the place of branches: the signs of weights are not to be predicted.
inline size_t SlotOf(double value) {
  const int negative = value < 0;
  const uint64_t magnitude = std::bit_cast<uint64_t>(value) & ~(uint64_t{1} << 63);
  // Bins are open to the right, so a negative edge belongs to the bin nearer to zero: the edges
  // strictly below a magnitude are those up to the double before it.
  const int edges = EdgesUpTo(magnitude - static_cast<uint64_t>(negative));
  const int mirrored = edges ^ -negative;  // -edges - 1 if negative.
  const int last_is_closed = value == kPositive.back();
  return static_cast<size_t>(kZeroBin + 1 + mirrored - last_is_closed);
}

double SumSquares(const Summary& summary) {
  // Not finite exactly where the l2 norm is not; beyond that, free of the norm's rounding.
  const double norm = Reduce(summary, {ReductionOp::kL2}, Flavor::kComputed);
  return summary.finite_count() == summary.count ? summary.sum_squares : norm;
}

}  // namespace

std::span<const double, kBinEdges> BinEdges() { return kEdges; }

Status CountBins(const TensorRef& tensor, BinCounts* out) {
  const auto* data = static_cast<const std::byte*>(tensor.data);
  const size_t count = tensor.count();
  Slots slots{};
  uint64_t nan = 0;
  Status status = VisitReal(tensor.dtype, [&]<class T>() {
    for (size_t i = 0; i < count; ++i) {
      const double value = ToDouble(ReadElement<T>(data, i));
      nan += value != value;
      ++slots[SlotOf(value)];
    }
  });
  if (!status.ok()) return status;
  std::copy(slots.begin() + 1, slots.end() - 1, out->counts.begin());
  out->nan = nan;
  out->outside = slots.front() + slots.back() - nan;
  return status;
}

Result<Histogram> MakeHistogram(const TensorRef& tensor) {
  BinCounts bins;
  if (Status status = CountBins(tensor, &bins); !status.ok()) return status;
  const Result<Summary> summary = Summarize(tensor);
  if (!summary.ok()) return summary.status();

  const auto populated = [](uint64_t n) { return n != 0; };
  const auto first = std::find_if(bins.counts.begin(), bins.counts.end(), populated);
  if (first == bins.counts.end()) {
    return Status(Code::kInvalid, "no histogram: every value is NaN or outside the bins");
  }
  const auto last = std::find_if(bins.counts.rbegin(), bins.counts.rend(), populated).base();

  const auto reduce = [&](ReductionOp op) {
    return Reduce(summary.value(), {op}, Flavor::kComputed);
  };
  Histogram out;
  out.min = reduce(ReductionOp::kMin);
  out.max = reduce(ReductionOp::kMax);
  out.num = static_cast<double>(summary.value().count);
  out.sum = reduce(ReductionOp::kSum);
  out.sum_squares = SumSquares(summary.value());
  const auto start = first - bins.counts.begin();
  const auto end = last - bins.counts.begin();
  out.limits.assign(kEdges.begin() + start, kEdges.begin() + end + 1);
  out.counts.push_back(0);
  out.counts.insert(out.counts.end(), first, last);
  return out;
}

}  // namespace warden::stats
