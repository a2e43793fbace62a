#ifndef WARDEN_VIEW_TIMELINE_SHORT_NAME_H_
#define WARDEN_VIEW_TIMELINE_SHORT_NAME_H_

#include <string>
#include <string_view>

namespace warden::view {

// Bytes of a name that answers contain at most.
inline constexpr size_t kLongestName = 400;

// A trace may have names of any length; cut between characters.
inline std::string ShortName(std::string_view text) {
  if (text.size() <= kLongestName) return std::string(text);
  size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SHORT_NAME_H_
