#ifndef WARDEN_CAPTURE_HOST_H_
#define WARDEN_CAPTURE_HOST_H_

#include <string>

namespace warden::capture {

// This machine's name as the system has it, for claims and for names of files; "localhost" if it
// has none. Not looked up in DNS. Safe for many threads.
std::string HostName();

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_HOST_H_
