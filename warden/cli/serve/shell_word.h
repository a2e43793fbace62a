#ifndef WARDEN_CLI_SERVE_SHELL_WORD_H_
#define WARDEN_CLI_SERVE_SHELL_WORD_H_

#include <string>

namespace warden::cli {

// The text quoted so that a POSIX shell reads it as one word; plain words stay as they are.
std::string QuotedForShell(const std::string& text);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_SHELL_WORD_H_
