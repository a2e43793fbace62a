#include "warden/client/keyboard.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "warden/os/blocked_signals.h"

namespace warden::client {

Keyboard::Keyboard(std::function<void(std::string)> typed)
    : typed_(std::move(typed)), quit_(eventfd(0, EFD_CLOEXEC)) {
  const os::BlockedSignals blocked;
  thread_ = std::thread([this] { Run(); });
}

Keyboard::~Keyboard() {
  const uint64_t one = 1;
  (void)!write(quit_.get(), &one, sizeof(one));
  thread_.join();
}

void Keyboard::Run() {
  std::array<char, 16 << 10> keys;
  for (;;) {
    std::array<pollfd, 2> waited = {{{STDIN_FILENO, POLLIN, 0}, {quit_.get(), POLLIN, 0}}};
    poll(waited.data(), waited.size(), -1);
    if (waited[1].revents != 0) return;
    if (waited[0].revents == 0) continue;
    const ssize_t n = read(STDIN_FILENO, keys.data(), keys.size());
    if (n < 0 && errno == EINTR) continue;
    typed_(n > 0 ? std::string(keys.data(), static_cast<size_t>(n)) : "");
    if (n <= 0) return;
  }
}

}  // namespace warden::client
