#include "warden/sagemaker/model/java_text.h"

#include <algorithm>

#include "warden/base/json.h"
#include "warden/base/text/utf8.h"

namespace warden::sagemaker {
namespace {

constexpr size_t kMaxText = 10'000;

void Append(const Json& value, std::string* out) {
  if (out->size() > kMaxText) return;
  if (value.is_string()) {
    *out += value.get_ref<const std::string&>();
  } else if (value.is_array()) {
    *out += '[';
    for (size_t i = 0; i < value.size() && out->size() <= kMaxText; ++i) {
      if (i > 0) *out += ", ";
      Append(value[i], out);
    }
    *out += ']';
  } else if (value.is_object()) {
    *out += '{';
    bool first = true;
    for (const auto& [key, item] : value.items()) {
      if (out->size() > kMaxText) break;
      if (!std::exchange(first, false)) *out += ", ";
      *out += key;
      *out += '=';
      Append(item, out);
    }
    *out += '}';
  } else {
    *out += value.dump();
  }
}

}  // namespace

std::string JavaText(const Json& value) {
  std::string text;
  Append(value, &text);
  if (text.size() <= kMaxText) return text;
  return std::string(CutUtf8(text, kMaxText)) + "...";
}

size_t CodePoints(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace warden::sagemaker
