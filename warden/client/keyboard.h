#ifndef WARDEN_CLIENT_KEYBOARD_H_
#define WARDEN_CLIENT_KEYBOARD_H_

// Standard input as events, for a program whose main thread waits for a network connection.

#include <functional>
#include <string>
#include <thread>

#include "warden/os/posix.h"

namespace warden::client {

// Reads standard input on its own thread: that works for a file, a pipe and a terminal alike. Used
// by RunShell. Signals are blocked in the thread. Without descriptors left it cannot be ended
// early: it then ends with the input.
class Keyboard {
 public:
  // typed: called on that thread with what was typed, once with "" at the end of the input, and
  // never after the destructor. At most 16 KB at once, as bytes: a character may be cut in two. An
  // error of reading counts as the end.
  explicit Keyboard(std::function<void(std::string)> typed);
  // Ends the thread at once, also while nothing is typed; waits for a call of typed.
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

 private:
  void Run();  // The thread.

  const std::function<void(std::string)> typed_;
  const os::UniqueFd quit_;  // An eventfd that ends Run.
  std::thread thread_;
};

}  // namespace warden::client

#endif  // WARDEN_CLIENT_KEYBOARD_H_
