#include "warden/view/text/array_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/text/printable.h"
#include "warden/view/text/element_format.h"

namespace warden::view {
namespace {

constexpr size_t kSummarizeAbove = 1000;
constexpr size_t kEdgeItems = 3;
constexpr size_t kLineWidth = 75;
constexpr std::string_view kPrefix = "array(";
constexpr std::string_view kDots = "...";

// Lengths of the text's last line, counted while it is given out.
class LinePrinter {
 public:
  explicit LinePrinter(const std::function<void(std::string_view)>& print) : print_(print) {}

  void Print(std::string_view text) {
    const size_t line = text.rfind('\n');
    column_ = line == std::string_view::npos ? column_ + DisplayWidth(text)
                                             : DisplayWidth(text.substr(line + 1));
    print_(text);
  }
  size_t column() const { return column_; }

 private:
  const std::function<void(std::string_view)>& print_;
  size_t column_ = 0;
};

class ArrayPrinter {
 public:
  ArrayPrinter(const trial::TensorValue& value, bool all, LinePrinter* out)
      : value_(value), summarize_(!all && value.ref().count() > kSummarizeAbove), out_(out) {
    std::vector<size_t> shown;
    CollectShown(0, 0, &shown);
    format_ = MakeElementFormat(value_, shown);
  }

  void Print(size_t line_width) { PrintAxis(0, 0, kPrefix.size(), line_width); }

 private:
  // The places along an axis that are shown; the dots come after the first `leading` of them.
  struct Axis {
    size_t size = 0;
    size_t leading = 0;  // 0: all are shown.
    size_t shown() const { return leading > 0 ? 2 * leading : size; }
    size_t place(size_t i) const { return leading > 0 && i >= leading ? size - shown() + i : i; }
  };
  Axis AxisAt(size_t axis) const {
    const auto size = static_cast<size_t>(value_.shape[axis]);
    return {size, summarize_ && size > 2 * kEdgeItems ? kEdgeItems : 0};
  }

  void CollectShown(size_t axis, size_t base, std::vector<size_t>* shown) const {
    if (axis == value_.shape.size()) {
      shown->push_back(base);
      return;
    }
    const Axis along = AxisAt(axis);
    for (size_t i = 0; i < along.shown(); ++i) {
      CollectShown(axis + 1, base * along.size + along.place(i), shown);
    }
  }

  // indent is where the opening bracket stands; width is what a line may have.
  void PrintAxis(size_t axis, size_t base, size_t indent, size_t width) {
    const size_t axes_left = value_.shape.size() - axis;
    if (axes_left == 0) return out_->Print(format_(base));
    out_->Print("[");
    if (axes_left == 1) {
      PrintElements(axis, base, indent + 1, width - 1);
    } else {
      PrintRows(axis, base, indent + 1, width - 1);
    }
    out_->Print("]");
  }

  void PrintElements(size_t axis, size_t base, size_t indent, size_t width) {
    const Axis along = AxisAt(axis);
    for (size_t i = 0; i < along.shown(); ++i) {
      if (i > 0) out_->Print(",");
      if (i > 0 && i == along.leading) {
        PrintWord(std::string(kDots), indent, width, i == 0);
        out_->Print(",");
      }
      PrintWord(format_(base * along.size + along.place(i)), indent, width, i == 0);
    }
  }

  // A word on the same line if it fits there, else on the next one.
  void PrintWord(const std::string& word, size_t indent, size_t width, bool first) {
    if (first) return out_->Print(word);
    const bool fits = out_->column() + 1 + DisplayWidth(word) <= width;
    out_->Print(fits ? " " : "\n" + std::string(indent, ' '));
    out_->Print(word);
  }

  void PrintRows(size_t axis, size_t base, size_t indent, size_t width) {
    const Axis along = AxisAt(axis);
    const size_t axes_left = value_.shape.size() - axis;
    const std::string separator = "," + std::string(axes_left - 1, '\n') + std::string(indent, ' ');
    for (size_t i = 0; i < along.shown(); ++i) {
      if (i > 0) out_->Print(separator);
      if (i > 0 && i == along.leading) out_->Print(std::string(kDots) + separator);
      PrintAxis(axis + 1, base * along.size + along.place(i), indent, width);
    }
  }

  const trial::TensorValue& value_;
  const bool summarize_;
  LinePrinter* out_;
  ElementFormat format_;
};

// "dtype=float32"; empty where NumPy leaves it out since it is what one would get anyway.
std::string DTypeText(const trial::TensorValue& value) {
  switch (value.dtype) {
    case DType::kFloat64:
    case DType::kInt64:
    case DType::kBool:
    case DType::kComplex128:
      return value.ref().count() == 0 ? fmt::format("dtype={}", DTypeName(value.dtype)) : "";
    case DType::kString: {
      size_t longest = 1;
      for (const std::string& text : value.strings) longest = std::max(longest, DisplayWidth(text));
      return fmt::format("dtype='<U{}'", longest);
    }
    default: return fmt::format("dtype={}", DTypeName(value.dtype));
  }
}

// Handed on in pieces of this size: a call for each element would cost more than its text.
constexpr size_t kPiece = 16 << 10;

class JsonPrinter {
 public:
  JsonPrinter(const trial::TensorValue& value, const std::function<void(std::string_view)>& print)
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

void PrintArray(const trial::TensorValue& value, bool all,
                const std::function<void(std::string_view)>& print) {
  LinePrinter out(print);
  const std::string dtype = DTypeText(value);
  out.Print(kPrefix);
  if (value.ref().count() == 0) {
    out.Print("[]");
    if (value.shape.size() > 1) {
      out.Print(fmt::format(", shape=({})", fmt::join(value.shape, ", ")));
    }
  } else {
    ArrayPrinter(value, all, &out).Print(kLineWidth - 1);
  }
  if (!dtype.empty()) {
    out.Print(",");
    const bool fits = out.column() + dtype.size() + 2 <= kLineWidth;
    out.Print((fits ? " " : "\n" + std::string(kPrefix.size(), ' ')) + dtype);
  }
  out.Print(")\n");
}

void PrintValuesAsJson(const trial::TensorValue& value,
                       const std::function<void(std::string_view)>& print) {
  if (value.ref().count() == 0) return print("[]");  // Whatever its other sizes may be.
  JsonPrinter(value, print).Print();
}

}  // namespace warden::view
