#ifndef WARDEN_CLIENT_SHELL_CLIENT_H_
#define WARDEN_CLIENT_SHELL_CLIENT_H_

// The client's side of `warden exec`. The protocol is in jobs/exec/protocol.h.

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/client/service_file.h"

namespace warden::client {

// What to open.
struct ShellRequest {
  std::string job;                 // Its name.
  std::string host;                // Empty: the first.
  std::vector<std::string> words;  // Empty: a shell.
};

// How it ended.
struct ShellEnd {
  int exit_code = 0;   // Of the program, 0 to 255; for this process to return.
  std::string closed;  // Why the service ended it; empty: the program ended.
};

// Opens a shell in a job and connects it with this process's terminal, or with whatever standard
// input and output are, until it ends. The terminal is in raw mode meanwhile, and as before
// afterwards. kInvalid, kNotFound if the service refuses; kUnavailable if it cannot be reached, or
// the connection breaks. Handles SIGWINCH, SIGTERM and SIGHUP while it runs: one call at a time in
// a process.
Result<ShellEnd> RunShell(const Endpoint& endpoint, const ShellRequest& request);

// The target of the request, encoded, with the size and name of the terminal:
// "/-/exec?job=mnist-1&host=&columns=80&rows=24&term=xterm&word=ls".
std::string ShellTarget(const ShellRequest& request, int columns, int rows,
                        const std::string& terminal);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_SHELL_CLIENT_H_
