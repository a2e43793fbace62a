#ifndef WARDEN_SERVICE_HTTP_TLS_CONTEXT_H_
#define WARDEN_SERVICE_HTTP_TLS_CONTEXT_H_

#include <boost/asio/ssl/context.hpp>
#include <string>

#include "warden/base/status.h"

namespace warden::service {

// Makes it fit to serve with these files: TLS 1.2 at least, with little memory for each client.
// kInvalid names the file.
Status UseCertificate(const std::string& certificate, const std::string& key,
                      boost::asio::ssl::context* tls);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_HTTP_TLS_CONTEXT_H_
