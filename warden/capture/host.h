#ifndef WARDEN_CAPTURE_HOST_H_
#define WARDEN_CAPTURE_HOST_H_

#include <string>

namespace warden::capture {

// This machine's name.
std::string HostName();

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_HOST_H_
