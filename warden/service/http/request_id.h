#ifndef WARDEN_SERVICE_HTTP_REQUEST_ID_H_
#define WARDEN_SERVICE_HTTP_REQUEST_ID_H_

#include <string>

namespace warden::service {

// A random UUID (version 4).
std::string NewRequestId();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_HTTP_REQUEST_ID_H_
