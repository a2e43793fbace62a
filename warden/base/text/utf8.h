#ifndef WARDEN_BASE_TEXT_UTF8_H_
#define WARDEN_BASE_TEXT_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

// The one UTF-8 codec. It also makes text that others wrote safe to pass on: messages to webhooks,
// mail and logs, answers of the service. All functions accept any bytes and are safe for many
// threads.
namespace warden {

// One character (code point) and how many bytes it takes.
struct Character {
  char32_t code = 0;
  size_t size = 0;  // 0: not a character.
};

// The character that a text begins with. Size 0 if it is empty or does not begin with well-formed
// UTF-8: cut off, longer than needed, half of a surrogate pair, or beyond U+10FFFF. Callers that
// replace what is broken skip one byte then:
//
//   while (!text.empty()) {
//     const Character first = FirstCharacter(text);
//     ...
//     text.remove_prefix(std::max<size_t>(first.size, 1));
//   }
Character FirstCharacter(std::string_view text);

// Whether a byte continues a character that began before it.
inline bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Whether all of the text is well-formed: JSON has no room for other bytes.
bool IsUtf8(std::string_view text);

// U+FFFD, which stands for what is not UTF-8.
inline constexpr char32_t kReplacementCode = 0xFFFD;
inline constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

// The text in valid UTF-8: each byte that is not part of a character becomes U+FFFD. Names of
// tensors may be any bytes.
std::string ValidUtf8(std::string_view text);

// The longest prefix with at most this many bytes that ends between characters: a view into text.
// The text should be valid UTF-8; of any other the result is still a prefix, but may be shorter.
std::string_view CutUtf8(std::string_view text, size_t bytes);

// The text on one line: each control character becomes one blank, so the length stays. For what
// goes into a header or a log, where a line break would let a sender forge the next line.
std::string OneLine(std::string_view text);

}  // namespace warden

#endif  // WARDEN_BASE_TEXT_UTF8_H_
