#include "warden/cli/launch/browser.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "warden/cli/launch/find_program.h"
#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::cli {
namespace {

// A page that redirects to the link. The temporary folder is emptied at the next reboot.
Result<std::string> WayTo(const std::string& link) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "warden-XXXXXX.html").string();
  constexpr int kEnding = 5;  // ".html".
  const os::UniqueFd file(mkstemps(path.data(), kEnding));
  if (file.get() < 0) return os::IoError("create", path, errno);
  // We made the link; it has no quotes.
  const std::string page =
      "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + link + "\">";
  const ssize_t written = write(file.get(), page.data(), page.size());
  if (written != static_cast<ssize_t>(page.size())) return os::IoError("write", path, errno);
  return path;
}

bool HasScreen() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr ||
         std::getenv("BROWSER") != nullptr;
}

}  // namespace

Status OpenInBrowser(const std::string& link) {
  const Status none(Code::kUnavailable, "no browser found; open the address yourself");
  if (!HasScreen()) return none;
  const char* chosen = std::getenv("BROWSER");
  const auto program = FindProgram(chosen != nullptr ? chosen : "xdg-open");
  if (!program.ok()) return none;
  auto page = WayTo(link);
  if (!page.ok()) return page.status();
  os::Program browser;
  browser.words = {program.value(), page.value()};
  browser.files = std::vector{program.value()};
  browser.keeps_files = true;
  browser.keeps_signals = true;
  return os::StartProgram(std::move(browser)).pid > 0 ? Status() : none;
}

}  // namespace warden::cli
