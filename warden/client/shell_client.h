#ifndef WARDEN_CLIENT_SHELL_CLIENT_H_
#define WARDEN_CLIENT_SHELL_CLIENT_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/client/service_file.h"

namespace warden::client {

struct ShellRequest {
  std::string job;
  std::string host;                // Empty: the first.
  std::vector<std::string> words;  // Empty: a shell.
};

struct ShellEnd {
  int exit_code = 0;
  std::string closed;  // Why it was ended from outside; empty: the program ended by itself.
};

// Opens a shell in a job (see exec/protocol.h) and connects it with this process's terminal, or
// with whatever standard input and output are, until it ends. kInvalid, kNotFound if the service
// refuses; kUnavailable if it cannot be reached, or the connection breaks.
Result<ShellEnd> RunShell(const Endpoint& endpoint, const ShellRequest& request);

// "/-/exec?job=...": with the size and name of the terminal.
std::string ShellTarget(const ShellRequest& request, int columns, int rows,
                        const std::string& terminal);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_SHELL_CLIENT_H_
