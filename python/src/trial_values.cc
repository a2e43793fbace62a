// Binds the part of warden/trial that reads values of tensors.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <variant>

#include "python/src/conversions.h"
#include "python/src/gil.h"
#include "python/src/numpy.h"
#include "warden/stats/reductions.h"
#include "warden/trial/trial.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

using trial::TensorValue;
using trial::Trial;

nb::object Value(const Trial& trial, std::string_view tensor, Step step, int mode,
                 std::string_view worker) {
  const Mode in_mode = ToMode(mode);
  return ToArray(WithoutGil([&] { return trial.Value(tensor, step, in_mode, worker); }));
}

nb::tuple Shape(const Trial& trial, std::string_view tensor, Step step, int mode,
                std::string_view worker) {
  const Mode in_mode = ToMode(mode);
  const auto shape = WithoutGil([&] { return trial.Shape(tensor, step, in_mode, worker); });
  return nb::tuple(nb::cast(shape));
}

std::vector<std::pair<std::string, bool>> SavedReductions(const Trial& trial,
                                                          std::string_view tensor, Step step,
                                                          int mode, std::string_view worker) {
  std::vector<std::pair<std::string, bool>> names;
  for (const Reduction reduction :
       Unwrap(trial.SavedReductions(tensor, step, ToMode(mode), worker))) {
    names.emplace_back(ReductionOpName(reduction.op), reduction.abs);
  }
  return names;
}

// Returns whether the core computes it: reductions of real numbers for which doubles give the same
// result as NumPy.
bool ComputedHere(DType dtype, ReductionOp op) {
  if (IsFloating(dtype)) return true;
  if (!IsInteger(dtype) && dtype != DType::kBool) return false;
  switch (op) {
    case ReductionOp::kMin:
    case ReductionOp::kMax:
    case ReductionOp::kSum:
    case ReductionOp::kProd: return false;  // Integers: NumPy keeps all digits.
    default: return true;
  }
}

struct Computed {
  double number;
  DType tensor_type;
};
// monostate: NumPy must compute it from the values.
using Reduced = std::variant<TensorValue, Computed, std::monostate>;

Result<Reduced> Reduce(const Trial& trial, std::string_view tensor, Step step, std::string_view op,
                       bool abs, Mode mode, std::string_view worker) {
  const auto known = ParseReductionOp(op);
  if (known) {
    const Reduction reduction = {*known, abs};
    const auto saved = trial.SavedReductions(tensor, step, mode, worker);
    if (!saved.ok()) return saved.status();
    if (std::find(saved.value().begin(), saved.value().end(), reduction) != saved.value().end()) {
      auto value = trial.SavedReduction(tensor, step, reduction, mode, worker);
      if (!value.ok()) return value.status();
      return Reduced(std::move(value.value()));
    }
  }
  const auto value = trial.Value(tensor, step, mode, worker);
  if (!value.ok()) return value.status();
  if (!known) return Status(Code::kInvalid, "unknown reduction '" + std::string(op) + "'");
  const DType dtype = value.value().dtype;
  if (dtype == DType::kString) return Status(Code::kInvalidType, "strings cannot be reduced");
  if (!ComputedHere(dtype, *known)) return Reduced(std::monostate());
  const auto number = stats::ComputeReduction(value.value().ref(), {*known, abs});
  if (!number.ok()) return number.status();
  return Reduced(Computed{number.value(), dtype});
}

nb::object ReductionValue(const Trial& trial, std::string_view tensor, Step step,
                          std::string_view op, bool abs, int mode, std::string_view worker) {
  const Mode in_mode = ToMode(mode);
  const Reduced reduced =
      WithoutGil([&] { return Reduce(trial, tensor, step, op, abs, in_mode, worker); });
  if (const auto* value = std::get_if<TensorValue>(&reduced)) return ToArray(*value);
  if (const auto* computed = std::get_if<Computed>(&reduced)) {
    return ToScalar(computed->number, computed->tensor_type);
  }
  return nb::none();
}

nb::object SavedReduction(const Trial& trial, std::string_view tensor, Step step,
                          std::string_view op, bool abs, int mode, std::string_view worker) {
  const auto known = ParseReductionOp(op);
  if (!known) Raise(Status(Code::kInvalid, "unknown reduction '" + std::string(op) + "'"));
  const Mode in_mode = ToMode(mode);
  return ToArray(WithoutGil(
      [&] { return trial.SavedReduction(tensor, step, {*known, abs}, in_mode, worker); }));
}

}  // namespace

void InitTrialValues(nb::class_<Trial>& trial) {
  trial
      .def(
          "original_name",
          [](const Trial& t, std::string_view tensor) {
            return ToText(Unwrap(t.OriginalName(tensor)));
          },
          "tensor"_a)
      .def(
          "tensor_steps",
          [](const Trial& t, std::string_view tensor, int mode, bool incomplete) {
            return Unwrap(t.TensorSteps(tensor, ToMode(mode), incomplete));
          },
          "tensor"_a, "mode"_a, "include_incomplete"_a)
      .def(
          "tensor_workers",
          [](const Trial& t, std::string_view tensor, Step step, int mode) {
            return ToTexts(Unwrap(t.TensorWorkers(tensor, step, ToMode(mode))));
          },
          "tensor"_a, "step"_a, "mode"_a)
      .def("value", &Value, "tensor"_a, "step"_a, "mode"_a, "worker"_a)
      .def("shape", &Shape, "tensor"_a, "step"_a, "mode"_a, "worker"_a)
      .def("saved_reductions", &SavedReductions, "tensor"_a, "step"_a, "mode"_a, "worker"_a)
      .def("saved_reduction", &SavedReduction, "tensor"_a, "step"_a, "op"_a, "abs"_a, "mode"_a,
           "worker"_a)
      .def("reduction_value", &ReductionValue, "tensor"_a, "step"_a, "op"_a, "abs"_a, "mode"_a,
           "worker"_a,
           "Returns the saved or computed reduction; None if NumPy must compute it from the "
           "values.");
}

}  // namespace warden::python
