#include "warden/net/xml.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "warden/base/text/utf8.h"

namespace warden::net {
namespace {

constexpr int kMaxXmlDepth = 16;
constexpr size_t kMaxElements = 100'000;

void AppendEscaped(std::string_view text, std::string* out) {
  for (const char c : text) {
    switch (c) {
      case '&': *out += "&amp;"; break;
      case '<': *out += "&lt;"; break;
      case '>': *out += "&gt;"; break;
      case '"': *out += "&quot;"; break;
      default:
        if (c == '\0') {
          *out += kReplacementText;  // No document can have it.
        } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') {
          *out += c;
        } else {
          *out += fmt::format("&#x{:X};", static_cast<unsigned char>(c));
        }
    }
  }
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsNameLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':';
}

void AppendUtf8(uint32_t code, std::string* out) {
  const auto tail = [&](int shift) { *out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    *out += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// "amp", "#38" or "#x26": the character that an entity stands for.
std::optional<uint32_t> CharacterOf(std::string_view entity) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed) {
    if (entity == name) return static_cast<uint32_t>(character);
  }
  if (!entity.starts_with('#')) return std::nullopt;
  entity.remove_prefix(1);
  const bool hexadecimal = entity.starts_with('x');
  if (hexadecimal) entity.remove_prefix(1);
  uint32_t code = 0;
  const char* end = entity.data() + entity.size();
  const auto [stop, error] = std::from_chars(entity.data(), end, code, hexadecimal ? 16 : 10);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (error != std::errc() || stop != end || code == 0 || code > 0x10FFFF || surrogate) {
    return std::nullopt;
  }
  return code;
}

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  Result<XmlElement> Document() {
    XmlElement root;
    if (!SkipBetween() || !Element(1, &root) || !SkipBetween()) return Broken();
    if (!rest_.empty()) return Status(Code::kInvalid, "data after the XML document");
    return root;
  }

 private:
  Status Broken() const {
    return Status(Code::kInvalid, reason_.empty() ? "the body is not well-formed XML" : reason_);
  }

  bool Fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    return false;
  }

  bool Eat(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool EatThrough(std::string_view token) {
    const size_t at = rest_.find(token);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + token.size());
    return true;
  }

  void SkipBlanks() {
    while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
  }

  // Blanks, comments and the declaration of the version.
  bool SkipBetween() {
    while (true) {
      SkipBlanks();
      if (Eat("<?")) {
        if (!EatThrough("?>")) return false;
      } else if (Eat("<!--")) {
        if (!EatThrough("-->")) return false;
      } else if (rest_.starts_with("<!")) {
        return Fail("XML declarations are not supported");
      } else {
        return true;
      }
    }
  }

  std::string_view Name() {
    size_t size = 0;
    while (size < rest_.size() && IsNameLetter(rest_[size])) ++size;
    const std::string_view name = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return name;
  }

  bool SkipAttributes() {
    while (true) {
      SkipBlanks();
      if (rest_.empty() || rest_.front() == '>' || rest_.front() == '/') return !rest_.empty();
      if (Name().empty()) return false;
      SkipBlanks();
      if (!Eat("=")) return false;
      SkipBlanks();
      if (rest_.empty() || (rest_.front() != '"' && rest_.front() != '\'')) return false;
      const std::string_view quote = rest_.substr(0, 1);
      rest_.remove_prefix(1);
      if (!EatThrough(quote)) return false;
    }
  }

  bool Element(int depth, XmlElement* element) {
    if (depth > kMaxXmlDepth || ++elements_ > kMaxElements)
      return Fail("the XML has too many levels or elements");
    if (!Eat("<")) return false;
    const std::string_view name = Name();
    if (name.empty() || !SkipAttributes()) return false;
    element->name = name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
    if (Eat("/>")) return true;
    if (!Eat(">") || !Content(depth, element)) return false;
    if (!Eat("</") || Name() != name) return false;
    SkipBlanks();
    return Eat(">");
  }

  // Up to the end tag.
  bool Content(int depth, XmlElement* element) {
    while (!rest_.empty()) {
      if (rest_.starts_with("</")) return true;
      if (Eat("<!--")) {
        if (!EatThrough("-->")) return false;
      } else if (rest_.starts_with("<!") || rest_.starts_with("<?")) {
        return Fail("XML declarations are not supported");
      } else if (rest_.front() == '<') {
        if (!Element(depth + 1, &element->children.emplace_back())) return false;
      } else if (!TextPiece(&element->text)) {
        return false;
      }
    }
    return false;
  }

  bool TextPiece(std::string* text) {
    if (!Eat("&")) {
      const std::string_view plain = rest_.substr(0, rest_.find_first_of("<&"));
      text->append(plain);
      rest_.remove_prefix(plain.size());
      return true;
    }
    const size_t end = rest_.substr(0, 12).find(';');
    if (end == std::string_view::npos) return false;
    const std::optional<uint32_t> character = CharacterOf(rest_.substr(0, end));
    if (!character)
      return Fail(fmt::format("the XML has an unknown entity &{};", rest_.substr(0, end)));
    AppendUtf8(*character, text);
    rest_.remove_prefix(end + 1);
    return true;
  }

  std::string_view rest_;
  size_t elements_ = 0;
  std::string reason_;
};

}  // namespace

XmlWriter::XmlWriter() : out_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

XmlWriter& XmlWriter::Open(std::string_view name, std::string_view name_space) {
  out_ += '<';
  out_ += name;
  if (!name_space.empty()) out_ += fmt::format(" xmlns=\"{}\"", name_space);
  out_ += '>';
  return *this;
}

XmlWriter& XmlWriter::Close(std::string_view name) {
  out_ += "</";
  out_ += name;
  out_ += '>';
  return *this;
}

XmlWriter& XmlWriter::Leaf(std::string_view name, std::string_view text) {
  Open(name);
  AppendEscaped(text, &out_);
  return Close(name);
}

std::string_view XmlElement::Text(std::string_view child) const {
  for (const XmlElement& element : children) {
    if (element.name == child) return element.text;
  }
  return {};
}

Result<XmlElement> ParseXml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (ValidUtf8(text) != text || text.find('\0') != std::string_view::npos) {
    return Status(Code::kInvalid, "the XML is not UTF-8 text");
  }
  return XmlReader(text).Document();
}

}  // namespace warden::net
