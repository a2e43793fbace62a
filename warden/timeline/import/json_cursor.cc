#include "warden/timeline/import/json_cursor.h"

#include <array>
#include <charconv>
#include <cmath>

#include "warden/base/strings.h"

namespace warden::timeline {
namespace {

using Kind = JsonValue::Kind;

bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

std::optional<unsigned> HexDigits(const char* at) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(at, at + 4, value, 16);
  if (error != std::errc() || end != at + 4) return std::nullopt;
  return value;
}

void AppendUtf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<uint32_t, 4> kLead = {0, 0xC0, 0xE0, 0xF0};
  out->push_back(static_cast<char>(kLead[more] | (code >> (6 * more))));
  for (int i = more - 1; i >= 0; --i) {
    out->push_back(static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F)));
  }
}

constexpr uint32_t kReplacement = 0xFFFD;

// The code point of the escape \uXXXX whose digits begin there, with the second half of a pair;
// *at is then behind it.
uint32_t EscapedCode(const char** at, const char* end) {
  const uint32_t code = HexDigits(*at).value_or(kReplacement);
  *at += 4;
  if (code < 0xD800 || code > 0xDFFF) return code;
  const bool pair = code < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
  if (!pair) return kReplacement;
  const uint32_t low = HexDigits(*at + 2).value_or(0);
  if (low < 0xDC00 || low > 0xDFFF) return kReplacement;
  *at += 6;
  return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

constexpr int64_t kMostWhole = int64_t{1} << 62;

}  // namespace

// From the first byte that is not plain up to the closing quote.
bool JsonCursor::RestOfString(JsonValue* value) {
  value->escaped = true;
  while (at_ < end_ && *at_ != '"') {
    if (*at_ != '\\') return false;
    const ptrdiff_t length = end_ - at_ > 1 && at_[1] == 'u' ? 6 : 2;
    if (end_ - at_ < length) {
      at_ = end_;
      return false;
    }
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    const bool good =
        length == 6 ? HexDigits(at_ + 2).has_value() : kEscapes.find(at_[1]) != kEscapes.npos;
    if (!good) return false;
    at_ = NextSpecial(at_ + length, end_);
  }
  return at_ < end_;
}

bool JsonCursor::Number(JsonValue* value) {
  constexpr ptrdiff_t kMostDigits = 18;
  const auto skip_digits = [this] {
    const char* const begin = at_;
    while (at_ < end_ && IsDigit(*at_)) ++at_;
    return at_ - begin;
  };
  const bool negative = *at_ == '-';
  if (negative) ++at_;
  const char* const begin = at_;
  int64_t whole = 0;
  for (; at_ < end_ && IsDigit(*at_); ++at_) {
    if (at_ - begin < kMostDigits) whole = whole * 10 + (*at_ - '0');
  }
  const ptrdiff_t count = at_ - begin;
  if (count == 0 || (*begin == '0' && count > 1)) return false;
  value->whole = negative ? -whole : whole;
  value->is_whole = count <= kMostDigits;
  if (at_ < end_ && *at_ == '.') {
    value->is_whole = false;
    ++at_;
    if (skip_digits() == 0) return false;
  }
  if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
    value->is_whole = false;
    ++at_;
    if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    if (skip_digits() == 0) return false;
  }
  // More digits may follow what is there by now.
  return at_ < end_;
}

bool JsonCursor::Word(JsonValue* value) {
  constexpr std::array<std::string_view, 6> kWords = {"true", "false",    "null",
                                                      "NaN",  "Infinity", "-Infinity"};
  const std::string_view rest(at_, left());
  for (const std::string_view word : kWords) {
    if (rest.starts_with(word)) {
      value->non_finite = word.ends_with('N') || word.ends_with('y');
      at_ += word.size();
      return true;
    }
    if (word.starts_with(rest)) at_ = end_;  // The rest of it may still come.
  }
  return false;
}

bool JsonCursor::Composite(JsonValue* value, int depth) {
  if (depth == kDepth) return false;
  const bool object = *at_ == '{';
  const char close = object ? '}' : ']';
  ++at_;
  bool non_finite = false;
  if (!Take(close)) {
    JsonValue member;
    do {
      SkipBlanks();
      if (object && !Key(&member)) return false;
      if (!AnyValue(&member, depth + 1)) return false;
      non_finite |= member.non_finite;
    } while (Take(','));
    if (!Take(close)) return false;
  }
  value->non_finite = non_finite;
  return true;
}

bool JsonCursor::AnyValue(JsonValue* value, int depth) {
  SkipBlanks();
  if (at_ == end_) return false;
  const char first = *at_;
  if (first == '"') return String(value);
  const char* const begin = at_;
  value->escaped = value->non_finite = value->is_whole = false;
  bool good = false;
  if (first == '{' || first == '[') {
    good = Composite(value, depth);
    value->kind = first == '{' ? Kind::kObject : Kind::kArray;
  } else if (IsDigit(first) || (first == '-' && left() > 1 && at_[1] != 'I')) {
    good = Number(value);
    value->kind = Kind::kNumber;
  } else {
    good = Word(value);
    value->kind = Kind::kWord;
  }
  value->text = {begin, static_cast<size_t>(at_ - begin)};
  return good;
}

std::string Unescaped(const JsonValue& value) {
  std::string out;
  out.reserve(value.text.size());
  const char* at = value.text.data();
  const char* const end = at + value.text.size();
  while (at < end) {
    if (*at != '\\') {
      out.push_back(*at++);
      continue;
    }
    const char escape = at[1];
    at += 2;
    constexpr std::string_view kEscapes = "bfnrt";
    constexpr std::string_view kMeanings = "\b\f\n\r\t";
    if (escape == 'u') {
      AppendUtf8(EscapedCode(&at, end), &out);
    } else if (const size_t i = kEscapes.find(escape); i != std::string_view::npos) {
      out.push_back(kMeanings[i]);
    } else {
      out.push_back(escape);
    }
  }
  return out;
}

std::optional<int64_t> OtherWholeNumber(const JsonValue& value) {
  if (value.kind != Kind::kNumber && value.kind != Kind::kString) return std::nullopt;
  const char* const begin = value.text.data();
  const char* const end = begin + value.text.size();
  int64_t whole = 0;
  const auto [at, error] = std::from_chars(begin, end, whole);
  if (error == std::errc() && at == end) {
    return whole > -kMostWhole && whole < kMostWhole ? std::optional(whole) : std::nullopt;
  }
  const std::optional<double> number = ParseDouble(value.text);
  if (!number || !(std::abs(*number) < static_cast<double>(kMostWhole))) return std::nullopt;
  return static_cast<int64_t>(*number);
}

std::optional<double> OtherNumber(const JsonValue& value) {
  if (value.kind != Kind::kNumber) return std::nullopt;
  double number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [at, error] = std::from_chars(value.text.data(), end, number);
  if (error != std::errc() || at != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace warden::timeline
