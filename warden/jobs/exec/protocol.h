#ifndef WARDEN_JOBS_EXEC_PROTOCOL_H_
#define WARDEN_JOBS_EXEC_PROTOCOL_H_

// The protocol of `warden exec`, over a WebSocket. Both sides include this: Session
// (shell_session.h) and the client (client/shell_client.h).

namespace warden::jobs {

// The first byte of a message says what it is:
//
//   from the client  d<bytes>           keys typed
//                    w<columns>x<rows>  the size of the window, from now on
//                    a<number>          how many bytes of output have been shown so far, in all
//                    e                  the end of the input
//   to the client    d<bytes>           output
//                    x{"exit_code": 3}  the program has ended; the last message
//                    x{"closed": "..."} the session was ended, and why; the last message
//
// The service sends at most 256 KB of output that was not acknowledged by 'a', so that a slow
// client stops the program instead of filling memory. Unknown messages are ignored.
inline constexpr char kDataMessage = 'd';    // Both ways.
inline constexpr char kWindowMessage = 'w';  // From the client, as are the next two.
inline constexpr char kShownMessage = 'a';
inline constexpr char kEndOfInputMessage = 'e';
inline constexpr char kEndMessage = 'x';  // To the client.

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_PROTOCOL_H_
