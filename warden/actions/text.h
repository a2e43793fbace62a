#ifndef WARDEN_ACTIONS_TEXT_H_
#define WARDEN_ACTIONS_TEXT_H_

#include <string>
#include <string_view>

namespace warden::actions {

// The text in valid UTF-8: what is none becomes U+FFFD. Names of tensors may be any bytes.
std::string ValidUtf8(std::string_view text);

// The longest prefix of a valid text with at most this many bytes that ends between characters.
std::string_view CutUtf8(std::string_view text, size_t bytes);

// The text on one line: control characters become blanks. What goes into a header or a log.
std::string OneLine(std::string_view text);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_TEXT_H_
