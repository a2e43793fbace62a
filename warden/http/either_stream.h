#ifndef WARDEN_HTTP_EITHER_STREAM_H_
#define WARDEN_HTTP_EITHER_STREAM_H_

#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/role.hpp>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace warden::http {

// A connection with or without TLS as one type, for Boost's asynchronous operations. What is built
// on it is compiled once instead of twice, and calls no templates of TLS: half of the compiler's
// time. An operation costs one allocation more, which is little beside its system call.
// Use it from the socket's executor.
class EitherStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using executor_type = Socket::executor_type;
  using TlsContext = boost::asio::ssl::context;
  using Error = boost::system::error_code;
  using Done = std::function<void(Error, size_t)>;

  explicit EitherStream(Socket socket) : socket_(std::move(socket)) {}

  executor_type get_executor() { return socket_.get_executor(); }

  Socket& socket() { return socket_; }

  // As the client: agrees on TLS over the connected socket and checks that the peer's certificate
  // is host's. Blocks. `tls` must outlive this.
  void Secure(TlsContext* tls, const std::string& host, Error* error);

  // As the server: agrees on TLS over the connected socket. `tls` must outlive this.
  template <class Handler>
  auto async_accept_tls(TlsContext* tls, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(Error, size_t)>(
        [this, tls](auto&& done) { AcceptTls(tls, Erased(std::move(done))); }, handler);
  }

  // Tells the peer that nothing follows, if the connection has TLS.
  template <class Handler>
  auto async_end_tls(Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(Error, size_t)>(
        [this](auto&& done) { EndTls(Erased(std::move(done))); }, handler);
  }

  template <class Buffers, class Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(Error, size_t)>(
        [this](auto&& done, const Buffers& to) { Read(Firsts(to), Erased(std::move(done))); },
        handler, buffers);
  }

  template <class Buffers, class Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(Error, size_t)>(
        [this](auto&& done, const Buffers& from) { Write(Firsts(from), Erased(std::move(done))); },
        handler, buffers);
  }

 private:
  template <class Buffer>
  using Few = std::array<Buffer, 4>;

  // Some is enough: operations that need all of the buffers call again.
  template <class Buffers>
  static auto Firsts(const Buffers& buffers) {
    using Iterator = decltype(boost::asio::buffer_sequence_begin(buffers));
    Few<typename std::iterator_traits<Iterator>::value_type> few;
    size_t count = 0;
    const Iterator end = boost::asio::buffer_sequence_end(buffers);
    for (Iterator it = boost::asio::buffer_sequence_begin(buffers); it != end && count < few.size();
         ++it) {
      const auto buffer = *it;
      if (buffer.size() > 0) few[count++] = buffer;
    }
    return few;
  }

  // Functions can be copied, operations only moved.
  template <class Handler>
  static Done Erased(Handler&& handler) {
    auto shared = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    return [shared](Error error, size_t bytes) { (*shared)(error, bytes); };
  }

  void AcceptTls(TlsContext* tls, Done done);
  void EndTls(Done done);
  void Read(const Few<boost::asio::mutable_buffer>& buffers, Done done);
  void Write(const Few<boost::asio::const_buffer>& buffers, Done done);
  // A WebSocket has said goodbye already; nothing more is expected from the peer.
  Error Close();

  // What a WebSocket asks of a stream below it, by these names.
  friend void beast_close_socket(EitherStream& stream) { stream.Close(); }
  friend void teardown(boost::beast::role_type, EitherStream& stream, Error& error) {
    error = stream.Close();
  }
  template <class Handler>
  friend void async_teardown(boost::beast::role_type, EitherStream& stream, Handler&& handler) {
    boost::asio::post(
        stream.get_executor(),
        [error = stream.Close(), done = std::forward<Handler>(handler)]() mutable { done(error); });
  }

  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_EITHER_STREAM_H_
