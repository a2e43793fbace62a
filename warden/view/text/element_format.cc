#include "warden/view/text/element_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "warden/base/json.h"
#include "warden/base/text/printable.h"
#include "warden/stats/element.h"
#include "warden/view/text/decimal.h"

namespace warden::view {
namespace {

constexpr int kPrecision = 8;

// What the two numbers of a complex one are; else the type itself.
DType ComponentType(DType dtype) {
  if (dtype == DType::kComplex64) return DType::kFloat32;
  return dtype == DType::kComplex128 ? DType::kFloat64 : dtype;
}

// A whole number exactly: 64 bits do not fit a double.
std::string IntegerText(const trial::TensorValue& value, size_t i) {
  std::string text;
  const Status visited = stats::VisitReal(value.dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      text = fmt::format("{:d}", stats::ReadElement<T>(value.data.data(), i));
    }
  });
  return visited.ok() ? text : "";
}

// The shortest text that gives the same number back. float16 and bfloat16 as the floats they are.
std::string FloatText(double number, DType dtype) {
  if (dtype == DType::kFloat64) return fmt::format("{}", number);
  return fmt::format("{}", static_cast<float>(number));
}

void AppendNumberAsJson(double number, DType dtype, std::string* out) {
  *out += std::isfinite(number) ? FloatText(number, dtype) : DumpLikePython(JsonNumber(number));
}

// NumPy's format of floating-point numbers: decided by all that are shown, so that points align.
class FloatFormat {
 public:
  FloatFormat(const std::vector<double>& shown, DType dtype, bool plus);
  std::string operator()(double number) const;

 private:
  std::string Text(double number) const;
  std::string Pad(const std::string& text) const;
  void ChooseNotation(const std::vector<double>& finite);

  DType dtype_;
  bool plus_;  // A '+' before what is not negative.
  bool scientific_ = false;
  int digits_ = 0;    // After the point, for all; used where scientific.
  size_t left_ = 0;   // Columns before the point, ...
  size_t right_ = 0;  // ... and after it.
};

FloatFormat::FloatFormat(const std::vector<double>& shown, DType dtype, bool plus)
    : dtype_(dtype), plus_(plus) {
  std::vector<double> finite;
  bool negative_infinity = false;
  for (const double number : shown) {
    if (std::isfinite(number)) finite.push_back(number);
    negative_infinity |= std::isinf(number) && number < 0;
  }
  ChooseNotation(finite);
  if (scientific_) {
    for (const double number : finite) {
      const std::string text = Scientific(number, dtype_, 0, kPrecision);
      digits_ = std::max(digits_, static_cast<int>(text.find('e') - text.find('.')) - 1);
    }
  }
  for (const double number : finite) {
    const std::string text = Text(number);
    left_ = std::max(left_, text.find('.'));
    right_ = std::max(right_, text.size() - text.find('.') - 1);
  }
  if (finite.size() == shown.size()) return;
  const size_t special = negative_infinity || plus_ ? 4 : 3;  // "-inf", "nan".
  left_ = std::max(left_, special - std::min(special, right_ + 1));
}

// Exponents where the numbers are very large, very small or far apart.
void FloatFormat::ChooseNotation(const std::vector<double>& finite) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (const double number : finite) {
    if (number == 0) continue;
    least = std::min(least, std::abs(number));
    greatest = std::max(greatest, std::abs(number));
  }
  scientific_ = greatest > 0 && (greatest >= 1e8 || least < 1e-4 || greatest / least > 1000);
}

std::string FloatFormat::Text(double number) const {
  std::string text = scientific_ ? Scientific(number, dtype_, digits_, kPrecision)
                                 : Positional(number, dtype_, kPrecision);
  return plus_ && !std::signbit(number) ? "+" + text : text;
}

std::string FloatFormat::operator()(double number) const {
  if (!std::isfinite(number)) {
    const bool sign = plus_ && !(number < 0);
    const std::string text =
        (sign ? "+" : "") + fmt::format("{}", std::isnan(number) ? NAN : number);
    const size_t width = left_ + right_ + 1;
    return std::string(width - std::min(width, text.size()), ' ') + text;
  }
  return Pad(Text(number));
}

std::string FloatFormat::Pad(const std::string& text) const {
  const size_t before = text.find('.');
  const size_t after = text.size() - before - 1;
  return std::string(left_ - std::min(left_, before), ' ') + text +
         std::string(right_ - std::min(right_, after), ' ');
}

// Every stride-th of the numbers, from the first-th on: a complex number is two.
std::vector<double> NumbersAt(const trial::TensorValue& value, const std::vector<size_t>& shown,
                              size_t stride, size_t first) {
  std::vector<double> numbers;
  for (const size_t i : shown) numbers.push_back(RealElement(value, i * stride + first));
  return numbers;
}

ElementFormat ComplexElementFormat(const trial::TensorValue& value,
                                   const std::vector<size_t>& shown) {
  const DType type = ComponentType(value.dtype);
  return [&value, re = FloatFormat(NumbersAt(value, shown, 2, 0), type, false),
          im = FloatFormat(NumbersAt(value, shown, 2, 1), type, true)](size_t i) {
    std::string text = im(RealElement(value, 2 * i + 1));
    text.insert(text.find_last_not_of(' ') + 1, "j");
    return re(RealElement(value, 2 * i)) + text;
  };
}

ElementFormat PaddedFormat(std::function<std::string(size_t)> text,
                           const std::vector<size_t>& shown) {
  size_t width = 0;
  for (const size_t i : shown) width = std::max(width, text(i).size());
  return
      [text = std::move(text), width](size_t i) { return fmt::format("{:>{}}", text(i), width); };
}

// As Python's repr quotes it.
std::string Quoted(const std::string& text) {
  const bool single = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
  const char quote = single ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return Printable(out + quote);
}

std::string BoolText(const trial::TensorValue& value, size_t i) {
  return RealElement(value, i) != 0 ? "True" : "False";
}

}  // namespace

double RealElement(const trial::TensorValue& value, size_t i) {
  double number = 0;
  const Status visited = stats::VisitReal(ComponentType(value.dtype), [&]<class T>() {
    number = stats::ToDouble(stats::ReadElement<T>(value.data.data(), i));
  });
  return visited.ok() ? number : 0;
}

void AppendElementAsJson(const trial::TensorValue& value, size_t i, std::string* out) {
  if (value.dtype == DType::kString) {
    AppendJsonString(value.strings[i], out);
  } else if (value.dtype == DType::kBool) {
    *out += RealElement(value, i) != 0 ? "true" : "false";
  } else if (IsInteger(value.dtype)) {
    *out += IntegerText(value, i);
  } else if (IsComplex(value.dtype)) {
    *out += "{\"re\": ";
    AppendNumberAsJson(RealElement(value, 2 * i), ComponentType(value.dtype), out);
    *out += ", \"im\": ";
    AppendNumberAsJson(RealElement(value, 2 * i + 1), ComponentType(value.dtype), out);
    *out += '}';
  } else {
    AppendNumberAsJson(RealElement(value, i), value.dtype, out);
  }
}

std::string ElementAsText(const trial::TensorValue& value, size_t i) {
  if (value.dtype == DType::kString) return value.strings[i];
  if (value.dtype == DType::kBool) return BoolText(value, i);
  if (IsInteger(value.dtype)) return IntegerText(value, i);
  const DType type = ComponentType(value.dtype);
  if (!IsComplex(value.dtype)) return FloatText(RealElement(value, i), type);
  const double im = RealElement(value, 2 * i + 1);
  return fmt::format("({}{}{}j)", FloatText(RealElement(value, 2 * i), type),
                     std::signbit(im) ? "" : "+", FloatText(im, type));
}

ElementFormat MakeElementFormat(const trial::TensorValue& value, const std::vector<size_t>& shown) {
  if (value.dtype == DType::kString) {
    return [&value](size_t i) { return Quoted(value.strings[i]); };
  }
  if (IsComplex(value.dtype)) return ComplexElementFormat(value, shown);
  if (value.dtype == DType::kBool) {
    // NumPy makes room for "False" in any array, but not for a single value.
    const size_t width = value.shape.empty() ? 0 : 5;
    return [&value, width](size_t i) { return fmt::format("{:>{}}", BoolText(value, i), width); };
  }
  if (IsInteger(value.dtype)) {
    return PaddedFormat([&value](size_t i) { return IntegerText(value, i); }, shown);
  }
  return [&value, format = FloatFormat(NumbersAt(value, shown, 1, 0), value.dtype, false)](
             size_t i) { return format(RealElement(value, i)); };
}

}  // namespace warden::view
