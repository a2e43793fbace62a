#ifndef WARDEN_CLIENT_KEYBOARD_H_
#define WARDEN_CLIENT_KEYBOARD_H_

#include <functional>
#include <string>
#include <thread>

#include "warden/os/posix.h"

namespace warden::client {

// Hands on what comes by standard input, in a thread of its own: a file, a pipe and a terminal can
// all be waited for by that.
class Keyboard {
 public:
  // typed: keys, or nothing at the end. Called in that thread.
  explicit Keyboard(std::function<void(std::string)> typed);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

 private:
  void Run();

  const std::function<void(std::string)> typed_;
  const os::UniqueFd quit_;
  std::thread thread_;
};

}  // namespace warden::client

#endif  // WARDEN_CLIENT_KEYBOARD_H_
