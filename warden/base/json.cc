#include "warden/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "warden/base/text/utf8.h"

namespace warden {
namespace {

constexpr int kMaxDepth = 64;
constexpr int kMaxKeys = 10'000;

// Refuses what would cost more than its size: nesting takes stack, and a key is looked for among
// all keys before it. Cheap, for it only looks at brackets and colons outside strings.
Status CheckProportions(std::string_view text) {
  std::array<int, kMaxDepth + 1> keys{};
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) {
        return Status(Code::kCorrupt, fmt::format("JSON nested deeper than {} levels", kMaxDepth));
      }
      keys[static_cast<size_t>(depth)] = 0;
    }
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (c == ':' && ++keys[static_cast<size_t>(depth)] > kMaxKeys) {
      return Status(Code::kCorrupt, fmt::format("JSON object has more than {} keys", kMaxKeys));
    }
  }
  return Status();
}

// Keeps the parser's own words on what is wrong, without an exception.
struct ErrorCatcher : nlohmann::json_sax<Json> {
  size_t position = 0;
  std::string reason;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t at, const std::string&, const nlohmann::detail::exception& e) override {
    position = at;
    reason = e.what();
    // The library puts its own "[json.exception.parse_error.101] " before.
    if (const size_t end = reason.find("] "); end != std::string::npos) reason.erase(0, end + 2);
    return false;
  }
};

void AppendNumber(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "NaN";
  } else if (std::isinf(value)) {
    *out += value > 0 ? "Infinity" : "-Infinity";
  } else {
    // The same digits and the same turn to exponents as Python's repr, but for whole numbers.
    const std::string text = fmt::format("{}", value);
    *out += text;
    if (text.find_first_of(".e") == std::string::npos) *out += ".0";
  }
}

void Append(const Json& value, std::string* out) {
  switch (value.type()) {
    case Json::value_t::object: {
      *out += '{';
      bool first = true;
      for (const auto& [key, member] : value.items()) {
        if (!first) *out += ", ";
        first = false;
        AppendJsonString(key, out);
        *out += ": ";
        Append(member, out);
      }
      *out += '}';
      break;
    }
    case Json::value_t::array: {
      *out += '[';
      for (size_t i = 0; i < value.size(); ++i) {
        if (i > 0) *out += ", ";
        Append(value[i], out);
      }
      *out += ']';
      break;
    }
    case Json::value_t::string: AppendJsonString(value.get_ref<const std::string&>(), out); break;
    case Json::value_t::number_float: AppendNumber(value.get<double>(), out); break;
    default: *out += value.dump(); break;
  }
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  if (Status status = CheckProportions(text); !status.ok()) return status;
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_discarded()) return value;
  ErrorCatcher catcher;
  Json::sax_parse(text, &catcher);
  return Status(Code::kCorrupt,
                fmt::format("invalid JSON at byte {}: {}", catcher.position, catcher.reason));
}

std::string DumpLikePython(const Json& value) {
  std::string out;
  Append(value, &out);
  return out;
}

void AppendJsonString(std::string_view text, std::string* out) {
  *out += '"';
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<uint8_t>(c) >= 0x80) {
      const Character next = FirstCharacter(text.substr(i));
      const char32_t point = next.size == 0 ? kReplacementCode : next.code;
      i += std::max<size_t>(next.size, 1);
      if (point < 0x10000) {
        fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<uint32_t>(point));
      } else {
        const uint32_t high = 0xD800 + ((point - 0x10000) >> 10);
        const uint32_t low = 0xDC00 + ((point - 0x10000) & 0x3FF);
        fmt::format_to(std::back_inserter(*out), "\\u{:04x}\\u{:04x}", high, low);
      }
      continue;
    }
    ++i;
    switch (c) {
      case '"': *out += "\\\""; break;
      case '\\': *out += "\\\\"; break;
      case '\n': *out += "\\n"; break;
      case '\r': *out += "\\r"; break;
      case '\t': *out += "\\t"; break;
      case '\b': *out += "\\b"; break;
      case '\f': *out += "\\f"; break;
      default:
        if (static_cast<uint8_t>(c) < 0x20 || c == 0x7F) {
          fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          *out += c;
        }
    }
  }
  *out += '"';
}

Json JsonNumber(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

}  // namespace warden
