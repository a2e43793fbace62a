#include "python/src/numpy.h"

#include <nanobind/ndarray.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "python/src/conversions.h"
#include "warden/stats/element.h"

namespace nb = nanobind;

namespace warden::python {
namespace {

constexpr size_t kShareFrom = 64 << 10;        // Below this size, copying is cheaper than sharing.
constexpr size_t kReleaseGilFrom = 256 << 10;  // For copies.

// The parts of NumPy in use, looked up when the first value is read, because importing this module
// should not import NumPy. Never freed.
struct NumPy {
  nb::object array, ndarray;
  nb::object string_type;
  std::array<nb::object, kAllDTypes.size()> dtypes;
  std::array<nb::object, kAllDTypes.size()> scalars;

  NumPy() {
    const nb::module_ numpy = nb::module_::import_("numpy");
    array = numpy.attr("array");
    ndarray = numpy.attr("ndarray");
    string_type = nb::borrow(reinterpret_cast<PyObject*>(&PyUnicode_Type));
    for (const DType dtype : kAllDTypes) {
      if (dtype == DType::kString) continue;
      const auto name = std::string(DTypeName(dtype == DType::kBFloat16 ? DType::kFloat32 : dtype));
      dtypes[static_cast<size_t>(dtype)] = numpy.attr("dtype")(name.c_str());
      scalars[static_cast<size_t>(dtype)] =
          numpy.attr(IsFloating(dtype) ? name.c_str() : "float64");
    }
  }
};

const NumPy& GetNumPy() {
  static const NumPy* numpy = nullptr;  // Guarded by the GIL; two threads may both create one.
  if (numpy == nullptr) numpy = new NumPy();
  return *numpy;
}

nb::tuple ShapeTuple(const std::vector<int64_t>& shape) {
  auto tuple = nb::steal<nb::tuple>(PyTuple_New(std::ssize(shape)));
  if (!tuple.is_valid()) nb::raise_python_error();
  for (size_t i = 0; i < shape.size(); ++i) {
    PyObject* size = PyLong_FromLongLong(shape[i]);
    if (PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), size) != 0) {
      nb::raise_python_error();
    }
  }
  return tuple;
}

nb::object NewByteArray(size_t size, std::byte** data) {
  nb::object array =
      nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!array.is_valid()) nb::raise_python_error();
  *data = reinterpret_cast<std::byte*>(PyByteArray_AsString(array.ptr()));
  return array;
}

nb::object Copied(Bytes bytes) {
  std::byte* data = nullptr;
  nb::object array = NewByteArray(bytes.size(), &data);
  if (bytes.size() < kReleaseGilFrom) {
    if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
  } else {
    const nb::gil_scoped_release released;
    std::memcpy(data, bytes.data(), bytes.size());
  }
  return array;
}

// Returns an array that keeps the memory alive. Writing is allowed: a trial reads into its own
// buffer or private mapping.
nb::object Shared(const trial::TensorValue& value) {
  using Owner = std::shared_ptr<const void>;
  const nb::capsule owner(new Owner(value.owner),
                          [](void* kept) noexcept { delete static_cast<Owner*>(kept); });
  auto* data = const_cast<std::byte*>(value.data.data());
  const size_t size = value.data.size();
  return nb::cast(nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(reinterpret_cast<uint8_t*>(data),
                                                               {size}, owner));
}

nb::object WidenedBFloat16(Bytes bytes) {
  const size_t count = bytes.size() / sizeof(stats::BFloat16);
  std::byte* data = nullptr;
  nb::object array = NewByteArray(count * sizeof(float), &data);
  stats::Widen<stats::BFloat16>(bytes.data(), 0, count, reinterpret_cast<float*>(data));
  return array;
}

bool IsAligned(const trial::TensorValue& value) {
  const size_t size = DTypeSize(value.dtype);
  return reinterpret_cast<uintptr_t>(value.data.data()) %
             (IsComplex(value.dtype) ? size / 2 : size) ==
         0;
}

nb::object Strings(const trial::TensorValue& value) {
  const NumPy& numpy = GetNumPy();
  return numpy.array(ToTexts(value.strings), numpy.string_type)
      .attr("reshape")(ShapeTuple(value.shape));
}

}  // namespace

nb::object ToArray(const trial::TensorValue& value) {
  if (value.dtype == DType::kString) return Strings(value);
  const NumPy& numpy = GetNumPy();
  const nb::object buffer = value.dtype == DType::kBFloat16 ? WidenedBFloat16(value.data)
                            : value.data.size() >= kShareFrom && IsAligned(value)
                                ? Shared(value)
                                : Copied(value.data);
  return numpy.ndarray(ShapeTuple(value.shape), numpy.dtypes[static_cast<size_t>(value.dtype)],
                       buffer);
}

nb::object ToScalar(double number, DType tensor_type) {
  return GetNumPy().scalars[static_cast<size_t>(tensor_type)](number);
}

}  // namespace warden::python
