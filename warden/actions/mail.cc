#include "warden/actions/mail.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "warden/base/text/utf8.h"
#include "warden/net/digest.h"

namespace warden::actions {
namespace {

constexpr size_t kBase64Line = 76;
// So much text makes an encoded word of at most 75 characters (RFC 2047).
constexpr size_t kWordBytes = 45;
constexpr size_t kPlainSubject = 60;

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

// As it is where that is safe, else in encoded words.
std::string EncodedSubject(const std::string& subject) {
  const std::string text = ValidUtf8(OneLine(subject));
  if (IsAscii(text) && text.size() <= kPlainSubject && text.find("=?") == std::string::npos) {
    return text;
  }
  std::string encoded;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view word = CutUtf8(rest, kWordBytes);
    encoded += fmt::format("{}=?utf-8?B?{}?=", encoded.empty() ? "" : "\r\n ", net::Base64(word));
    rest.remove_prefix(word.size());
  }
  return encoded;
}

std::string EncodedBody(std::string_view body) {
  std::string text;
  for (const char c : ValidUtf8(body)) {
    if (c == '\n') text += '\r';
    if (c != '\r') text += c;
  }
  const std::string encoded = net::Base64(text);
  std::string lines;
  for (size_t i = 0; i < encoded.size(); i += kBase64Line) {
    lines += encoded.substr(i, kBase64Line) + "\r\n";
  }
  return lines;
}

}  // namespace

std::string FormatMail(const Mail& mail) {
  const std::time_t date = std::chrono::system_clock::to_time_t(mail.date);
  return fmt::format(
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\n"
      "From: {}\r\n"
      "To: {}\r\n"
      "Subject: {}\r\n"
      "Message-ID: <{}@{}>\r\n"
      "Auto-Submitted: auto-generated\r\n"
      "MIME-Version: 1.0\r\n"
      "Content-Type: text/plain; charset=utf-8\r\n"
      "Content-Transfer-Encoding: base64\r\n"
      "\r\n"
      "{}",
      fmt::gmtime(date), mail.from, mail.to, EncodedSubject(mail.subject), mail.id,
      mail.from.substr(mail.from.rfind('@') + 1), EncodedBody(mail.body));
}

}  // namespace warden::actions
