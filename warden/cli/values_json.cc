#include "warden/cli/values_json.h"

#include <string>

#include "warden/cli/element_format.h"

namespace warden::cli {
namespace {

// Handed on in pieces of this size: a call for each element would cost more than its text.
constexpr size_t kPiece = 16 << 10;

class Printer {
 public:
  Printer(const trial::TensorValue& value, const std::function<void(std::string_view)>& print)
      : value_(value), print_(print) {}

  void Print() {
    PrintAxis(0, 0);
    print_(text_);
  }

 private:
  void PrintAxis(size_t axis, size_t base) {
    if (axis == value_.shape.size()) {
      AppendElementAsJson(value_, base, &text_);
    } else {
      const auto size = static_cast<size_t>(value_.shape[axis]);
      text_ += '[';
      for (size_t i = 0; i < size; ++i) {
        if (i > 0) text_ += ", ";
        PrintAxis(axis + 1, base * size + i);
      }
      text_ += ']';
    }
    if (text_.size() < kPiece) return;
    print_(text_);
    text_.clear();
  }

  const trial::TensorValue& value_;
  const std::function<void(std::string_view)>& print_;
  std::string text_;
};

}  // namespace

void PrintValuesAsJson(const trial::TensorValue& value,
                       const std::function<void(std::string_view)>& print) {
  if (value.ref().count() == 0) return print("[]");  // Whatever its other sizes may be.
  Printer(value, print).Print();
}

}  // namespace warden::cli
