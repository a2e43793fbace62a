#include "warden/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "warden/base/strings.h"

namespace warden::cli {
namespace {

constexpr int kLeastWidth = 40;
constexpr int kMostWidth = 1000;

std::string_view VariableText(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// The variables rather than the locale itself: images often name a locale that is not installed,
// and their terminals show UTF-8 all the same.
bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = LowerAscii(VariableText(name));
    if (value.empty()) continue;
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

int Width(int descriptor, bool interactive) {
  if (const auto columns = ParseInt(VariableText("COLUMNS")); columns && *columns > 0) {
    return static_cast<int>(std::clamp<int64_t>(*columns, kLeastWidth, kMostWidth));
  }
  winsize size{};
  if (interactive && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<int>(size.ws_col, kLeastWidth, kMostWidth);
  }
  return 80;
}

std::string_view StyleCode(Style style) {
  switch (style) {
    case Style::kBold: return "\x1b[1m";
    case Style::kDim: return "\x1b[2m";
    case Style::kGood: return "\x1b[32m";
    case Style::kWarning: return "\x1b[33m";
    case Style::kBad: return "\x1b[31m";
    case Style::kPlain: break;
  }
  return "";
}

}  // namespace

Terminal DetectTerminal(int descriptor) {
  Terminal terminal;
  terminal.interactive = isatty(descriptor) == 1;
  terminal.colors =
      terminal.interactive && VariableText("NO_COLOR").empty() && VariableText("TERM") != "dumb";
  terminal.utf8 = LocaleIsUtf8();
  terminal.width = Width(descriptor, terminal.interactive);
  return terminal;
}

std::string Styled(std::string_view text, Style style, const Terminal& terminal) {
  if (!terminal.colors || style == Style::kPlain) return std::string(text);
  return std::string(StyleCode(style)).append(text).append("\x1b[0m");
}

}  // namespace warden::cli
