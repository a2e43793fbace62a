#ifndef WARDEN_HTTP_TLS_CONTEXT_H_
#define WARDEN_HTTP_TLS_CONTEXT_H_

// TLS of the server, with OpenSSL. Used once, when a server starts.

#include <boost/asio/ssl/context.hpp>
#include <string>

#include "warden/base/status.h"

namespace warden::http {

// Prepares a context for a server with these PEM files: the certificate with its chain, and its
// key. TLS 1.2 at least, no compression, no renegotiation, and little memory for clients that only
// wait. kInvalid names the file: it cannot be read, the key does not match the certificate, or
// others than its owner may read the key. A key with a passphrase is refused too: nobody is there
// to type it.
Status UseCertificate(const std::string& certificate, const std::string& key,
                      boost::asio::ssl::context* tls);

}  // namespace warden::http

#endif  // WARDEN_HTTP_TLS_CONTEXT_H_
