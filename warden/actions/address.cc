#include "warden/actions/address.h"

#include <algorithm>

namespace warden::actions {
namespace {

constexpr size_t kMaxAddress = 254;
constexpr size_t kMaxLabel = 63;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsNameChar(char c) { return IsLetter(c) || IsDigit(c) || c == '-'; }

// RFC 5322's atext.
bool IsAtomChar(char c) {
  constexpr std::string_view kSigns = "!#$%&'*+/=?^_`{|}~-";
  return IsLetter(c) || IsDigit(c) || kSigns.find(c) != std::string_view::npos;
}

// Whether the text is two parts or more, with '.' between them, each accepted; one is enough if
// alone_too.
template <class Accepts>
bool IsDotted(std::string_view text, bool alone_too, Accepts accepts) {
  if (!alone_too && text.find('.') == std::string_view::npos) return false;
  for (;;) {
    const size_t dot = text.find('.');
    if (!accepts(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool IsAtom(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsAtomChar);
}

bool IsLabel(std::string_view text) {
  return !text.empty() && text.size() <= kMaxLabel && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(), IsNameChar);
}

}  // namespace

bool IsEmailAddress(std::string_view text) {
  const size_t at = text.rfind('@');
  return at != std::string_view::npos && text.size() <= kMaxAddress &&
         IsDotted(text.substr(0, at), /*alone_too=*/true, IsAtom) &&
         IsDotted(text.substr(at + 1), /*alone_too=*/false, IsLabel);
}

bool IsPhoneNumber(std::string_view text) {
  return text.size() >= 8 && text.size() <= 16 && text.front() == '+' &&
         std::all_of(text.begin() + 1, text.end(), IsDigit);
}

bool IsJobPrefix(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsNameChar);
}

}  // namespace warden::actions
