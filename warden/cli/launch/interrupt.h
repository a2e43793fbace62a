#ifndef WARDEN_CLI_LAUNCH_INTERRUPT_H_
#define WARDEN_CLI_LAUNCH_INTERRUPT_H_

namespace warden::cli {

// From here on the first Ctrl-C or SIGTERM asks a long command to finish; the second kills it.
void CatchInterrupts();

// Whether the first one came.
bool Interrupted();

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_INTERRUPT_H_
