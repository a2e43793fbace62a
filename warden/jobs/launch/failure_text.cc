#include "warden/jobs/launch/failure_text.h"

#include <fcntl.h>
#include <unistd.h>

#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/jobs/record/short_text.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

constexpr size_t kLines = 10;

// Its beginning; empty if it is no regular file. A program may leave anything there, a pipe even,
// and put a link in place of the folder.
std::string BeginningOf(const std::string& path) {
  const std::string above(os::SplitLast(os::SplitLast(path).first).first);
  const os::UniqueFd root(open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.ok()) return "";
  const auto file = os::OpenFileBeneath(root.get(), path.substr(above.size() + 1));
  if (!file.ok()) return "";
  std::string text(kLongestReason, '\0');
  const ssize_t size = read(file.value().get(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  // Of a last character that does not fit only the beginning was read.
  return ShortText(text);
}

// Of a progress bar only the last state counts.
std::string_view LastState(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line.substr(line.rfind('\r') + 1);
}

std::string LastLines(std::string_view tail) {
  std::string text;
  for (size_t lines = 0; lines < kLines && !tail.empty(); ++lines) {
    while (tail.ends_with('\n')) tail.remove_suffix(1);
    const size_t start = tail.rfind('\n') + 1;
    const std::string line(LastState(tail.substr(start)));
    // The last lines matter most: what does not fit is left out at the front.
    if (!text.empty() && text.size() + line.size() + 1 > kLongestReason) break;
    text = text.empty() ? line : line + "\n" + text;
    tail = tail.substr(0, start);
  }
  return ShortText(Trim(text));
}

}  // namespace

std::string FailureText(const std::string& failure_file, std::string_view tail) {
  const std::string told = BeginningOf(failure_file);
  return Trim(told).empty() ? LastLines(tail) : std::string(Trim(told));
}

}  // namespace warden::jobs
