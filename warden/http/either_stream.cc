#include "warden/http/either_stream.h"

#include <boost/asio/ssl/host_name_verification.hpp>

namespace warden::http {

void EitherStream::Secure(TlsContext* tls, const std::string& host, Error* error) {
  tls_.emplace(socket_, *tls);
  tls_->set_verify_callback(boost::asio::ssl::host_name_verification(host));
  SSL_set_tlsext_host_name(tls_->native_handle(), host.c_str());
  tls_->handshake(boost::asio::ssl::stream_base::client, *error);
}

void EitherStream::AcceptTls(TlsContext* tls, Done done) {
  tls_.emplace(socket_, *tls);
  tls_->async_handshake(boost::asio::ssl::stream_base::server,
                        [done = std::move(done)](Error error) { done(error, 0); });
}

void EitherStream::EndTls(Done done) {
  if (tls_) {
    tls_->async_shutdown([done = std::move(done)](Error error) { done(error, 0); });
  } else {
    boost::asio::post(get_executor(), [done = std::move(done)] { done(Error(), 0); });
  }
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

}  // namespace warden::http
