#include "warden/jobs/exec/typed_lines.h"

#include <array>

#include "warden/base/text/utf8.h"

namespace warden::jobs {
namespace {

constexpr char kEscape = '\x1b';
constexpr size_t kMaxLine = 4096;
constexpr size_t kMaxEscape = 16;

struct NamedKey {
  std::string_view bytes;
  std::string_view name;
};

constexpr std::array<NamedKey, 13> kNamedKeys = {{{"\x1b[A", "<up>"},
                                                  {"\x1b[B", "<down>"},
                                                  {"\x1b[C", "<right>"},
                                                  {"\x1b[D", "<left>"},
                                                  {"\x1bOA", "<up>"},
                                                  {"\x1bOB", "<down>"},
                                                  {"\x1bOC", "<right>"},
                                                  {"\x1bOD", "<left>"},
                                                  {"\x1b[H", "<home>"},
                                                  {"\x1b[F", "<end>"},
                                                  {"\x1b[3~", "<delete>"},
                                                  // Around what is pasted.
                                                  {"\x1b[200~", ""},
                                                  {"\x1b[201~", ""}}};

// Whether the bytes are all of a key: "ESC x", "ESC [ ... letter" or "ESC O letter".
bool IsWhole(std::string_view escape) {
  if (escape.size() < 2) return false;
  if (escape[1] != '[' && escape[1] != 'O') return true;
  if (escape.size() >= kMaxEscape) return true;
  const char last = escape.back();
  return escape.size() > 2 && last >= '@' && last <= '~';
}

std::string NameOf(std::string_view escape) {
  for (const NamedKey& key : kNamedKeys) {
    if (key.bytes == escape) return std::string(key.name);
  }
  return "<escape>" + std::string(escape.substr(1));
}

}  // namespace

void TypedLines::Add(std::string_view keys, bool hidden) {
  for (const char key : keys) {
    if (text_.size() >= kMaxLine) EndLine();
    hidden_ |= hidden;
    Key(key);
  }
}

void TypedLines::Key(char key) {
  if (!escape_.empty()) return EscapeKey(key);
  if (key == '\n' && after_return_) {
    after_return_ = false;
    return;
  }
  after_return_ = key == '\r';
  switch (key) {
    case kEscape: escape_ = key; return;
    case '\r':
    case '\n': return EndLine();
    case '\x7f':
    case '\b': return RubOut();
    case '\x15': text_.clear(); return;  // ^U.
    case '\t': text_ += "<tab>"; return;
    case '\x03':  // ^C.
    case '\x04':  // ^D.
      text_ += key == '\x03' ? "^C" : "^D";
      return EndLine();
    default: break;
  }
  if (static_cast<unsigned char>(key) < 0x20) {
    text_ += {'^', static_cast<char>(key + '@')};
  } else {
    text_ += key;
  }
}

void TypedLines::EscapeKey(char key) {
  if (static_cast<unsigned char>(key) < 0x20 || key == '\x7f') {  // The key Escape itself.
    text_ += NameOf(escape_);
    escape_.clear();
    return Key(key);
  }
  escape_ += key;
  if (!IsWhole(escape_)) return;
  text_ += NameOf(escape_);
  escape_.clear();
}

// One code point.
void TypedLines::RubOut() {
  while (!text_.empty() && IsContinuation(text_.back())) {
    text_.pop_back();
  }
  if (!text_.empty()) text_.pop_back();
}

void TypedLines::EndLine() {
  if (hidden_) {
    line_("(not shown)");
  } else if (!text_.empty()) {
    line_(text_);
  }
  text_.clear();
  hidden_ = false;
}

void TypedLines::Finish() {
  text_ += escape_.empty() ? "" : NameOf(escape_);
  escape_.clear();
  if (!text_.empty()) EndLine();
}

}  // namespace warden::jobs
