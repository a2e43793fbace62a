#ifndef WARDEN_CLI_LAUNCH_INTERRUPT_H_
#define WARDEN_CLI_LAUNCH_INTERRUPT_H_

// Ctrl-C for commands that have something to finish: `watch` prints its summary, `serve` closes its
// connections, the agent of a rule reports that it was stopped. Polled, since those loops look
// around several times a second anyway.

namespace warden::cli {

// From here on the first Ctrl-C or SIGTERM asks a long command to finish; the second kills it. For
// the whole process; there is no way back. System calls that wait are interrupted (EINTR).
void CatchInterrupts();

// Whether the first one came. For any thread; stays true.
bool Interrupted();

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_INTERRUPT_H_
