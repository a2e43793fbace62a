#ifndef WARDEN_TIMELINE_IMPORT_JSON_CURSOR_H_
#define WARDEN_TIMELINE_IMPORT_JSON_CURSOR_H_

// A JSON parser for traces of gigabytes: it does not build values, but checks and skips them, so
// that their bytes can be copied as they are. Used by the trace reader, the merge and the
// dashboard's timeline.
//
//   JsonCursor cursor(text);  // kPadding readable bytes follow the text.
//   JsonValue key, value;
//   if (!cursor.Take('{')) return;
//   do {
//     if (!cursor.Key(&key) || !cursor.Value(&value)) return;
//   } while (cursor.Take(','));

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace warden::timeline {

// What a value of a JSON text is, and where it stands. `text` refers to the text of the cursor. A
// plain value that is reused for the next one: nothing is freed or allocated.
struct JsonValue {
  enum class Kind : uint8_t { kString, kNumber, kObject, kArray, kWord };  // kWord: true, null, ...
  Kind kind = Kind::kWord;
  bool escaped = false;     // A string with a backslash in it.
  bool non_finite = false;  // Contains NaN or an Infinity, which only Python accepts as JSON.
  // A number without fraction and exponent, of at most 18 digits, so that `whole` has it without a
  // second look. Most numbers of a trace are such.
  bool is_whole = false;
  // Only valid if is_whole.
  int64_t whole = 0;
  std::string_view text;  // As it stands there; a string without its quotes.
};

// Walks over a JSON text and checks each value that it passes. Whether the bytes are UTF-8 is not
// checked. All methods return false on text that is not JSON or that ends too early; after the
// first failure the cursor stays where it is: at the end of the text, if that is why, so that the
// caller can try again with more. Does not own the text. For one thread.
class JsonCursor {
 public:
  // How many bytes after the text must be readable. Their values do not matter.
  static constexpr size_t kPadding = 16;

  explicit JsonCursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  // Points into the text: the byte that is looked at next.
  const char* at() const { return at_; }
  bool at_end() const { return at_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }

  void SkipBlanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  // Skips blanks; if the next byte is that one, skips it and returns true.
  bool Take(char wanted) {
    SkipBlanks();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }
  // A string; the cursor is at its first quote. Control characters and unknown escapes are refused.
  // The text keeps its escapes: see Unescaped.
  bool String(JsonValue* value) {
    if (at_ == end_ || *at_ != '"') return false;
    const char* const begin = at_ + 1;
    at_ = NextSpecial(begin, end_);
    value->kind = JsonValue::Kind::kString;
    value->escaped = value->non_finite = value->is_whole = false;
    if (at_ == end_ || (*at_ != '"' && !RestOfString(value))) return false;
    value->text = {begin, static_cast<size_t>(at_ - begin)};
    ++at_;
    return true;
  }
  // Any value, after blanks. Nested at most kDepth levels deep. A number at the very end of the
  // text is refused, since more of its digits may follow.
  bool Value(JsonValue* value) {
    SkipBlanks();
    if (at_ < end_ && *at_ == '"') return String(value);
    return AnyValue(value, 0);
  }
  // The key of a member and its colon, after blanks; the value comes next.
  bool Key(JsonValue* key) {
    SkipBlanks();
    return String(key) && Take(':');
  }

  // Of objects and arrays in each other; deeper ones are not JSON to us, so that a file cannot
  // overflow the stack.
  static constexpr int kDepth = 128;

 private:
  static const char* NextSpecial(const char* at, const char* end);
  // From the first byte that is not plain to the closing quote, which it stops at.
  bool RestOfString(JsonValue* value);
  bool Number(JsonValue* value);
  bool Word(JsonValue* value);
  // An object or an array; false if it is nested too deep.
  bool Composite(JsonValue* value, int depth);
  bool AnyValue(JsonValue* value, int depth);

  const char* at_;
  const char* const end_;
};

// The first byte from there on that ends a stretch of plain text in a string: a quote, a backslash,
// or a control character. Looks at 8 bytes at a time, at most 7 of them beyond the end.
inline const char* JsonCursor::NextSpecial(const char* at, const char* end) {
  static_assert(std::endian::native == std::endian::little);
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = 0x8080808080808080;
  // Marks the bytes that are zero; above the first of them it may mark too much.
  const auto zeros = [](uint64_t word) { return (word - kOnes) & ~word; };
  for (; at < end; at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    const uint64_t control = (word - kOnes * 0x20) & ~word;
    const uint64_t special =
        (zeros(word ^ (kOnes * '"')) | zeros(word ^ (kOnes * '\\')) | control) & kHighs;
    if (special == 0) continue;
    at += std::countr_zero(special) / 8;
    return at < end ? at : end;
  }
  return end;
}

// The text of a string value with its escapes resolved; half of a surrogate pair becomes U+FFFD.
// REQUIRES: the value was read by a JsonCursor.
std::string Unescaped(const JsonValue& value);

// What WholeNumber and Number do where the number is not as simple as JsonValue::whole.
std::optional<int64_t> OtherWholeNumber(const JsonValue& value);
std::optional<double> OtherNumber(const JsonValue& value);

// A number, or a string that holds one, as a whole number of 62 bits: fractions are cut off.
// Nothing if it is neither, or too large.
inline std::optional<int64_t> WholeNumber(const JsonValue& value) {
  return value.is_whole ? std::optional(value.whole) : OtherWholeNumber(value);
}
// A number, finite; nothing for anything else.
inline std::optional<double> Number(const JsonValue& value) {
  return value.is_whole ? std::optional(static_cast<double>(value.whole)) : OtherNumber(value);
}

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_JSON_CURSOR_H_
