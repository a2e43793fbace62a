#include "warden/client/either_stream.h"

#include <boost/asio/ssl/host_name_verification.hpp>

namespace warden::client {

void EitherStream::Secure(boost::asio::ssl::context* tls, const std::string& host, Error* error) {
  tls_.emplace(socket_, *tls);
  tls_->set_verify_callback(boost::asio::ssl::host_name_verification(host));
  SSL_set_tlsext_host_name(tls_->native_handle(), host.c_str());
  tls_->handshake(boost::asio::ssl::stream_base::client, *error);
}

void EitherStream::Read(const Few<boost::asio::mutable_buffer>& buffers, Done done) {
  if (tls_) {
    tls_->async_read_some(buffers, std::move(done));
  } else {
    socket_.async_read_some(buffers, std::move(done));
  }
}

void EitherStream::Write(const Few<boost::asio::const_buffer>& buffers, Done done) {
  if (tls_) {
    tls_->async_write_some(buffers, std::move(done));
  } else {
    socket_.async_write_some(buffers, std::move(done));
  }
}

EitherStream::Error EitherStream::Close() {
  Error error;
  socket_.close(error);
  return error;
}

}  // namespace warden::client
