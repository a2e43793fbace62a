#ifndef WARDEN_BASE_TEXT_UTF8_H_
#define WARDEN_BASE_TEXT_UTF8_H_

#include <string>
#include <string_view>

namespace warden {

// The text in valid UTF-8: what is none becomes U+FFFD. Names of tensors may be any bytes.
std::string ValidUtf8(std::string_view text);

// The longest prefix of a valid text with at most this many bytes that ends between characters.
std::string_view CutUtf8(std::string_view text, size_t bytes);

// The text on one line: control characters become blanks. What goes into a header or a log.
std::string OneLine(std::string_view text);

}  // namespace warden

#endif  // WARDEN_BASE_TEXT_UTF8_H_
