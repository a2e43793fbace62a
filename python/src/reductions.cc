// Binds reductions of arrays and the names under which they are saved.
#include "warden/stats/reductions.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include "python/src/gil.h"
#include "python/src/numpy.h"
#include "python/src/tensor.h"
#include "warden/format/reduction_tensor.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

ReductionOp ToOp(std::string_view name) {
  const auto op = ParseReductionOp(name);
  if (!op) Raise(Status(Code::kInvalid, "unknown reduction '" + std::string(name) + "'"));
  return *op;
}

nb::object Reduce(nb::handle array, std::string_view op, bool abs) {
  const Reduction reduction = {ToOp(op), abs};
  const auto values = BorrowedTensor::From(array, /*as_bool=*/false);
  if (!values) Raise(Status(Code::kInvalidType, "expected an array of numbers in C order"));
  const double number =
      WithoutGil([&] { return stats::ComputeReduction(values->ref(), reduction); });
  return ToScalar(number, values->ref().dtype);
}

std::string TensorName(std::string_view tensor, std::string_view op, bool abs, bool strip_colons) {
  return format::ReductionTensorName({ToOp(op), abs}, tensor, strip_colons);
}

std::optional<std::tuple<std::string, std::string, bool>> ParseTensorName(std::string_view name) {
  const auto parsed = format::ParseReductionTensorName(name);
  if (!parsed) return std::nullopt;
  return std::tuple(std::string(parsed->tensor), std::string(ReductionOpName(parsed->reduction.op)),
                    parsed->reduction.abs);
}

}  // namespace

void InitReductions(nb::module_& module) {
  module.def("reduce", &Reduce, "array"_a, "op"_a, "abs"_a,
             "Returns a reduction of a C-contiguous array, as NumPy defines it.");
  module.def("reduction_tensor_name", &TensorName, "tensor"_a, "op"_a, "abs"_a, "strip_colons"_a);
  module.def("parse_reduction_tensor_name", &ParseTensorName, "name"_a,
             "Returns (tensor, reduction, absolute); None for another name.");
}

}  // namespace warden::python
