#ifndef WARDEN_HTTP_REQUEST_ID_H_
#define WARDEN_HTTP_REQUEST_ID_H_

// IDs of requests. Used by the connections, when the head of a request has arrived.

#include <string>

namespace warden::http {

// Returns a random UUID (version 4), for RequestHead::id: responses of the API and of S3 contain
// it. Not a secret, and does not fail: without randomness it is only less unique. Safe for many
// threads.
std::string NewRequestId();

}  // namespace warden::http

#endif  // WARDEN_HTTP_REQUEST_ID_H_
