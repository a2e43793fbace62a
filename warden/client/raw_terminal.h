#ifndef WARDEN_CLIENT_RAW_TERMINAL_H_
#define WARDEN_CLIENT_RAW_TERMINAL_H_

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace warden::client {

// While it lives, keys come from standard input one by one and unseen, if that is a terminal.
class RawTerminal {
 public:
  RawTerminal() : changed_(tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!changed_) return;
    termios raw = before_;
    cfmakeraw(&raw);
    changed_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
  }
  ~RawTerminal() {
    if (changed_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

 private:
  termios before_{};
  bool changed_;
};

// Of standard output or input, or of a usual terminal if neither is one.
inline winsize WindowSize() {
  winsize size{};
  for (const int descriptor : {STDOUT_FILENO, STDIN_FILENO}) {
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
      return size;
    }
  }
  size.ws_col = 80;
  size.ws_row = 24;
  return size;
}

}  // namespace warden::client

#endif  // WARDEN_CLIENT_RAW_TERMINAL_H_
