#ifndef WARDEN_HTTP_REQUEST_ID_H_
#define WARDEN_HTTP_REQUEST_ID_H_

#include <string>

namespace warden::http {

// A random UUID (version 4).
std::string NewRequestId();

}  // namespace warden::http

#endif  // WARDEN_HTTP_REQUEST_ID_H_
