#ifndef WARDEN_JOBS_EXEC_PROTOCOL_H_
#define WARDEN_JOBS_EXEC_PROTOCOL_H_

namespace warden::jobs {

// What goes over the connection, one message each, told apart by its first byte:
//
//   from the client  d<bytes>           keys typed
//                    w<columns>x<rows>  the size of the window, from now on
//                    a<number>          how many bytes of output have been shown so far, in all
//                    e                  the end of the input
//   to the client    d<bytes>           output
//                    x{"exit_code": 3}  the program has ended; the last message
//                    x{"closed": "..."} the session was ended, and why; the last message
inline constexpr char kDataMessage = 'd';
inline constexpr char kWindowMessage = 'w';
inline constexpr char kShownMessage = 'a';
inline constexpr char kEndOfInputMessage = 'e';
inline constexpr char kEndMessage = 'x';

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_PROTOCOL_H_
