#ifndef WARDEN_BASE_REDUCTION_H_
#define WARDEN_BASE_REDUCTION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warden {

// The statistics of a tensor that can be saved instead of its values: which exist, how they are
// numbered and what they are called. stats/reductions.h computes them, config/reduction_config.h
// reads which ones a user wants, format/reduction_tensor.h names the tensors that hold them.

// The reductions of the original, in its order, on which the numbers of Reduction::index depend. l1
// and l2 it calls norms.
enum class ReductionOp : uint8_t { kMin, kMax, kMean, kStd, kVariance, kSum, kProd, kL1, kL2 };

// Every operation once, in the order of the enumeration.
inline constexpr std::array<ReductionOp, 9> kAllReductionOps = {
    ReductionOp::kMin,  ReductionOp::kMax,      ReductionOp::kMean,
    ReductionOp::kStd,  ReductionOp::kVariance, ReductionOp::kSum,
    ReductionOp::kProd, ReductionOp::kL1,       ReductionOp::kL2};

// One of the 18: an operation, over the values or over their absolute values. A plain value; sorts
// by index.
//
//   const Reduction largest{ReductionOp::kMax, /*abs=*/true};
//   ReductionName(largest);                            // "abs_max"
//   Reduction::FromIndex(largest.index()) == largest;  // true
struct Reduction {
  ReductionOp op = ReductionOp::kMin;
  bool abs = false;

  bool operator==(const Reduction&) const = default;
  bool operator<(const Reduction& other) const { return index() < other.index(); }

  static constexpr int kCount = 18;
  // 0 to 17: the nine plain ones, then the nine absolute ones. For bit sets and arrays with one
  // element for each reduction.
  constexpr int index() const { return static_cast<int>(op) + (abs ? 9 : 0); }
  // The inverse of index(). REQUIRES: 0 <= index < kCount.
  static constexpr Reduction FromIndex(int index) {
    return {static_cast<ReductionOp>(index % 9), index >= 9};
  }
};

// Configurations spell norms with a suffix ("l2_norm"), everything else by its name.
inline bool IsNorm(ReductionOp op) { return op == ReductionOp::kL1 || op == ReductionOp::kL2; }

// "min", "l1", ...: valid for the life of the process. Parsing wants exactly that spelling.
std::string_view ReductionOpName(ReductionOp op);
std::optional<ReductionOp> ParseReductionOp(std::string_view name);

// "mean", "abs_l2", ...: the spelling inside names of saved reductions. Parsing gives nothing for
// any other text, "l2_norm" included: that is config::ParseReductions' business.
std::string ReductionName(Reduction reduction);
std::optional<Reduction> ParseReductionName(std::string_view name);

}  // namespace warden

#endif  // WARDEN_BASE_REDUCTION_H_
