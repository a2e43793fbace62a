#ifndef WARDEN_HTTP_TLS_CONTEXT_H_
#define WARDEN_HTTP_TLS_CONTEXT_H_

#include <boost/asio/ssl/context.hpp>
#include <string>

#include "warden/base/status.h"

namespace warden::http {

// Makes it fit to serve with these files: TLS 1.2 at least, with little memory for each client.
// kInvalid names the file.
Status UseCertificate(const std::string& certificate, const std::string& key,
                      boost::asio::ssl::context* tls);

}  // namespace warden::http

#endif  // WARDEN_HTTP_TLS_CONTEXT_H_
