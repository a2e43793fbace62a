#include "warden/base/reduction.h"

namespace warden {
namespace {

constexpr std::array<std::string_view, 9> kNames = {"min", "max",  "mean", "std", "variance",
                                                    "sum", "prod", "l1",   "l2"};
constexpr std::string_view kAbsPrefix = "abs_";

}  // namespace

std::string_view ReductionOpName(ReductionOp op) { return kNames[static_cast<size_t>(op)]; }

std::optional<ReductionOp> ParseReductionOp(std::string_view name) {
  for (ReductionOp op : kAllReductionOps) {
    if (ReductionOpName(op) == name) return op;
  }
  return std::nullopt;
}

std::string ReductionName(Reduction reduction) {
  std::string name(reduction.abs ? kAbsPrefix : "");
  return name.append(ReductionOpName(reduction.op));
}

std::optional<Reduction> ParseReductionName(std::string_view name) {
  const bool abs = name.starts_with(kAbsPrefix);
  if (abs) name.remove_prefix(kAbsPrefix.size());
  const auto op = ParseReductionOp(name);
  if (!op) return std::nullopt;
  return Reduction{*op, abs};
}

}  // namespace warden
