#include "warden/hook/arguments.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "warden/base/text/utf8.h"

namespace warden::hook {
namespace {

// By the number of WD_FLOAT16 and so on, from 1 on.
constexpr std::array kTypes = {
    DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64,   DType::kInt8,
    DType::kInt16,   DType::kInt32,    DType::kInt64,   DType::kUInt8,     DType::kUInt16,
    DType::kUInt32,  DType::kUInt64,   DType::kBool,    DType::kComplex64, DType::kComplex128};
static_assert(kTypes.size() == WD_COMPLEX128);
// What wd_value had when it was published.
constexpr size_t kFirstSize = offsetof(wd_value, strides) + sizeof(wd_value::strides);

Status Invalid(std::string message) { return Status(Code::kInvalid, std::move(message)); }

// The number of bytes, if memory can have so many.
Status CheckShape(const stats::TensorRef& tensor) {
  uint64_t bytes = DTypeSize(tensor.dtype);
  bool empty = false;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] < 0) {
      return Invalid(fmt::format("value: shape[{}] is {}; expected 0 or more", i, tensor.shape[i]));
    }
    empty |= tensor.shape[i] == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(tensor.shape[i], 1), &bytes) ||
        bytes > uint64_t{PTRDIFF_MAX}) {
      return Invalid("value: a tensor of this shape exceeds the address space");
    }
  }
  if (tensor.data == nullptr && !empty) return Invalid("value: data is NULL");
  return Status();
}

// Strides of dimensions with a single element, and of empty tensors, say nothing.
Status CheckOrder(const stats::TensorRef& tensor, const int64_t* strides) {
  if (strides == nullptr || tensor.count() == 0) return Status();
  int64_t dense = 1;
  for (size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && strides[i] != dense) {
      return Invalid(fmt::format(
          "value: strides[{}] is {}; expected {} (C order). Copy the tensor to C order first", i,
          strides[i], dense));
    }
    dense *= tensor.shape[i];
  }
  return Status();
}

}  // namespace

Result<std::string_view> TextFrom(const char* text, std::string_view what) {
  if (text == nullptr) return Invalid(fmt::format("{} is NULL", what));
  const std::string_view view = text;
  if (view.empty()) return Invalid(fmt::format("{} is empty", what));
  if (!IsUtf8(view)) return Invalid(fmt::format("{} is not UTF-8", what));
  return view;
}

Result<std::string_view> NameFrom(const char* name, std::string_view what) {
  auto text = TextFrom(name, what);
  if (text.ok() && text.value().size() > WD_MOST_NAME_BYTES) {
    return Invalid(fmt::format("{} has {} bytes; expected at most {}", what, text.value().size(),
                               int{WD_MOST_NAME_BYTES}));
  }
  return text;
}

Result<std::vector<std::string>> TextsFrom(const char* const* texts, size_t count, bool empty_too,
                                           std::string_view what) {
  if (texts == nullptr && count > 0) return Invalid(fmt::format("{} is NULL", what));
  std::vector<std::string> all;
  for (size_t i = 0; i < count; ++i) {
    if (empty_too && texts[i] != nullptr && *texts[i] == '\0') {
      all.emplace_back();
      continue;
    }
    const auto text = TextFrom(texts[i], fmt::format("{}[{}]", what, i));
    if (!text.ok()) return text.status();
    all.emplace_back(text.value());
  }
  return all;
}

Result<Mode> ModeFrom(wd_mode mode) {
  if (mode >= WD_TRAIN && mode <= WD_GLOBAL) return static_cast<Mode>(mode);
  return Invalid(fmt::format(
      "mode is {}; expected one of: WD_TRAIN (1), WD_EVAL (2), WD_PREDICT (3), WD_GLOBAL (4)",
      mode));
}

Result<config::Framework> FrameworkFrom(const char* name) {
  const auto text = TextFrom(name, "framework");
  if (!text.ok()) return text.status();
  if (text.value() == "plain") return config::Framework::kPlain;
  if (text.value() == "pytorch") return config::Framework::kPyTorch;
  if (text.value() == "tensorflow") return config::Framework::kTensorFlow;
  if (text.value() == "mxnet") return config::Framework::kMxNet;
  if (text.value() == "xgboost") return config::Framework::kXgBoost;
  return Invalid(fmt::format(
      "unknown framework '{}'; expected one of: plain, pytorch, tensorflow, mxnet, xgboost",
      text.value()));
}

Status CheckStep(int64_t step) {
  if (step >= 0 && step <= WD_LARGEST_STEP) return Status();
  return Invalid(fmt::format("step is {}; expected 0 to {}", step, WD_LARGEST_STEP));
}

Result<stats::TensorRef> TensorFrom(const wd_value* value) {
  if (value == nullptr) return Invalid("value is NULL");
  if (value->struct_size < kFirstSize) {
    return Invalid(fmt::format("value: struct_size is {}; expected sizeof(wd_value) ({})",
                               value->struct_size, sizeof(wd_value)));
  }
  if (value->dtype < WD_FLOAT16 || value->dtype > WD_COMPLEX128) {
    return Invalid(fmt::format("value: dtype is {}; expected WD_FLOAT16 ({}) to WD_COMPLEX128 ({})",
                               value->dtype, int{WD_FLOAT16}, int{WD_COMPLEX128}));
  }
  if (value->dimensions < 0 || value->dimensions > WD_MOST_DIMENSIONS) {
    return Invalid(fmt::format("value: dimensions is {}; expected 0 to {}", value->dimensions,
                               int{WD_MOST_DIMENSIONS}));
  }
  if (value->shape == nullptr && value->dimensions > 0) return Invalid("value: shape is NULL");
  const stats::TensorRef tensor = {value->data,
                                   kTypes[static_cast<size_t>(value->dtype - 1)],
                                   {value->shape, static_cast<size_t>(value->dimensions)}};
  if (const Status status = CheckShape(tensor); !status.ok()) return status;
  if (const Status status = CheckOrder(tensor, value->strides); !status.ok()) return status;
  return tensor;
}

}  // namespace warden::hook
