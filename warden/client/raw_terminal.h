#ifndef WARDEN_CLIENT_RAW_TERMINAL_H_
#define WARDEN_CLIENT_RAW_TERMINAL_H_

// The user's terminal while a shell is open in it. Used by RunShell, which passes every key on as
// it is: the other side's terminal echoes, edits lines and makes signals of Ctrl-C.

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace warden::client {

// While it lives, keys come from standard input one by one, unechoed and without signals (Ctrl-C is
// a key). Does nothing if standard input is not a terminal. The destructor restores the terminal:
// it must run, or the user's shell is unusable. One at a time. Waits until what was printed before
// is shown. Neither constructor nor destructor fails: a terminal that refuses stays as it is.
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
  termios before_{};  // What the destructor restores.
  bool changed_;      // False: not a terminal, or it refused.
};

// The size of the terminal of standard output or input; 80x24 if neither is one. Ask again after
// each SIGWINCH.
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
