#include "warden/jobs/launch/master_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/os/posix.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::milliseconds kSocketPause{50};
constexpr int kMostSocketPauses = 100;

// When the process has no descriptor left, waits a little: connections that end return some.
// Otherwise empty, with errno set, if there is none.
os::UniqueFd NewSocket() {
  for (int pauses = 0;; ++pauses) {
    os::UniqueFd made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const bool is_full = !made.ok() && (errno == EMFILE || errno == ENFILE);
    if (!is_full || pauses == kMostSocketPauses) return made;
    if (pauses == 0) LogWarning("no port chosen yet: {}; trying again", os::ErrorText(errno));
    std::this_thread::sleep_for(kSocketPause);
  }
}

// One that nobody listens at now; the first host takes it soon.
Result<int> FreePort() {
  const os::UniqueFd socket_fd = NewSocket();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (!socket_fd.ok() || bind(socket_fd.get(), plain, size) != 0 ||
      getsockname(socket_fd.get(), plain, &size) != 0) {
    return os::IoError("find", "a free port", errno);
  }
  return ntohs(address.sin_port);
}

}  // namespace

Result<int> MasterPort(const std::string& job_folder) {
  const std::string path = job_folder + "/master_port";
  if (const auto text = os::ReadWholeFile(path)) {
    if (const auto port = ParseInt(Trim(*text))) return static_cast<int>(*port);
  }
  std::error_code error;
  std::filesystem::create_directories(job_folder, error);
  const auto port = FreePort();
  if (!port.ok()) return port.status();
  const Status written = os::ReplaceFile(path, std::to_string(port.value()) + "\n", 0600);
  if (!written.ok()) return written;
  return port.value();
}

}  // namespace warden::jobs
