#include "warden/sagemaker/model/java_pattern.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace warden::sagemaker {
namespace {

constexpr std::string_view kNoLineBreak = "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]";

class Translator {
 public:
  explicit Translator(std::string_view java) : java_(java) {}

  std::string Translate() {
    while (at_ < java_.size()) {
      const char c = java_[at_];
      if (c == '\\') {
        Escape();
        continue;
      }
      if (c == '.' && !in_class_) {
        out_ += kNoLineBreak;
      } else {
        if (c == '[') in_class_ = true;
        if (c == ']') in_class_ = false;
        out_ += c;
      }
      ++at_;
    }
    return std::move(out_);
  }

 private:
  bool Eat(std::string_view token) {
    if (!java_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void Set(std::string_view members) {
    out_ += in_class_ ? std::string(members) : fmt::format("[{}]", members);
  }

  void Escape() {
    if (Eat("\\d")) {
      Set("0-9");
    } else if (Eat("\\w")) {
      Set("a-zA-Z_0-9");
    } else if (Eat("\\p{Alnum}")) {
      Set("a-zA-Z0-9");
    } else if (const std::optional<uint32_t> code = Character()) {
      out_ += fmt::format("\\x{{{:X}}}", *code);
    } else {
      out_ += java_.substr(at_, 2);
      at_ += 2;
    }
  }

  // "\u0020", or the two halves of a character beyond them.
  std::optional<uint32_t> Character() {
    const std::optional<uint32_t> first = Unit();
    if (!first || *first < 0xD800 || *first > 0xDBFF) return first;
    const std::optional<uint32_t> second = Unit();
    if (!second) return first;
    return 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00);
  }

  std::optional<uint32_t> Unit() {
    const std::string_view rest = java_.substr(at_);
    if (!rest.starts_with("\\u") || rest.size() < 6) return std::nullopt;
    uint32_t unit = 0;
    const auto [stop, error] = std::from_chars(rest.data() + 2, rest.data() + 6, unit, 16);
    if (error != std::errc() || stop != rest.data() + 6) return std::nullopt;
    at_ += 6;
    return unit;
  }

  std::string_view java_;
  size_t at_ = 0;
  bool in_class_ = false;
  std::string out_;
};

}  // namespace

Result<Pattern> CompileJavaPattern(std::string_view java) {
  return Pattern::Compile(fmt::format("\\A(?:{})\\z", Translator(java).Translate()),
                          Pattern::Runaway::kKeep);
}

}  // namespace warden::sagemaker
