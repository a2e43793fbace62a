#ifndef WARDEN_BASE_REDUCTION_H_
#define WARDEN_BASE_REDUCTION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warden {

// The reductions of the original, in its order. l1 and l2 it calls norms.
enum class ReductionOp : uint8_t { kMin, kMax, kMean, kStd, kVariance, kSum, kProd, kL1, kL2 };

inline constexpr std::array<ReductionOp, 9> kAllReductionOps = {
    ReductionOp::kMin,  ReductionOp::kMax,      ReductionOp::kMean,
    ReductionOp::kStd,  ReductionOp::kVariance, ReductionOp::kSum,
    ReductionOp::kProd, ReductionOp::kL1,       ReductionOp::kL2};

// One of the 18: an operation, over the values or over their absolute values.
struct Reduction {
  ReductionOp op = ReductionOp::kMin;
  bool abs = false;

  bool operator==(const Reduction&) const = default;
  bool operator<(const Reduction& other) const { return index() < other.index(); }

  static constexpr int kCount = 18;
  // 0 to 17: the nine plain ones, then the nine absolute ones.
  constexpr int index() const { return static_cast<int>(op) + (abs ? 9 : 0); }
  static constexpr Reduction FromIndex(int index) {
    return {static_cast<ReductionOp>(index % 9), index >= 9};
  }
};

inline bool IsNorm(ReductionOp op) { return op == ReductionOp::kL1 || op == ReductionOp::kL2; }

// "min", "l1", ...
std::string_view ReductionOpName(ReductionOp op);
std::optional<ReductionOp> ParseReductionOp(std::string_view name);

// "mean", "abs_l2", ...: the spelling inside names of saved reductions.
std::string ReductionName(Reduction reduction);
std::optional<Reduction> ParseReductionName(std::string_view name);

}  // namespace warden

#endif  // WARDEN_BASE_REDUCTION_H_
