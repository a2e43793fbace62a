#include "warden/http/tls_context.h"

#include <fmt/format.h>

#include "warden/os/secret.h"

namespace warden::http {

Status UseCertificate(const std::string& certificate, const std::string& key,
                      boost::asio::ssl::context* tls) {
  boost::system::error_code error;
  // Without it a key with a password would be asked for on the terminal.
  SSL_CTX_set_default_passwd_cb(tls->native_handle(), [](char*, int, int, void*) { return 0; });
  tls->use_certificate_chain_file(certificate, error);
  if (error) {
    return Status(Code::kInvalid, fmt::format("cannot use the TLS certificate {}: {}", certificate,
                                              error.message()));
  }
  const auto file = os::ReadPrivateText(key);
  if (!file.ok()) {
    return Status(Code::kInvalid, "cannot use the TLS key: " + file.status().message());
  }
  if (!file.value().is_private) return os::NotPrivate(key);
  // What was checked, not what the path leads to by now.
  tls->use_private_key(boost::asio::buffer(file.value().text), boost::asio::ssl::context::pem,
                       error);
  if (error || SSL_CTX_check_private_key(tls->native_handle()) != 1) {
    return Status(Code::kInvalid,
                  fmt::format("cannot use the TLS key {}: {}", key,
                              error ? error.message() : "it does not match the certificate"));
  }
  SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_options(tls->native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Clients that only wait are many.
  SSL_CTX_set_mode(tls->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  return Status();
}

}  // namespace warden::http
