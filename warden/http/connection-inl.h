#ifndef WARDEN_HTTP_CONNECTION_INL_H_
#define WARDEN_HTTP_CONNECTION_INL_H_

// One client's connection, with or without TLS: included only where it is made.

#include "warden/http/connection.h"
//
#include <sys/socket.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <limits>
#include <string>
#include <string_view>

#include "warden/base/log.h"
#include "warden/http/body_file.h"
#include "warden/http/outbox.h"
#include "warden/http/request_head.h"
#include "warden/http/request_id.h"
#include "warden/http/response_head.h"
#include "warden/http/safe_calls.h"

namespace warden::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

// Bodies are read in pieces of this size.
constexpr size_t kPiece = size_t{64} << 10;

// One request, while it is being read.
struct Turn {
  http::request_parser<http::buffer_body> parser;
  RequestHead head;
  bool keep_alive = true;

  bool is_head() const { return parser.get().method() == http::verb::head; }
  bool expects_continue() const {
    return parser.get().version() >= 11 && parser.get().count(http::field::expect) > 0;
  }
};

template <class Stream>
class Connection final : public Peer, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  template <class... Args>
  explicit Connection(Hub* hub, Args&&... args)
      : hub_(hub), stream_(std::forward<Args>(args)...), timer_(stream_.get_executor()) {}
  ~Connection() override { hub_->peers.Remove(this); }

  // Adds it to the hub's and serves it. False: there are too many.
  bool Start();

  void Cancel() override;
  void Stop() override;
  void Close() override;

 private:
  using Self = std::shared_ptr<Connection>;
  using WebSocket = websocket::stream<Stream&, /*deflateSupported=*/false>;
  static constexpr bool kIsTls = !std::is_same_v<Stream, tcp::socket>;

  tcp::socket& socket() { return beast::get_lowest_layer(stream_); }
  const ServerOptions& options() const { return hub_->options; }

  static asio::awaitable<void> Run(Self self);
  asio::awaitable<void> Serve();
  // One request and its answer. False: that was the last one.
  asio::awaitable<bool> ServeOne();

  // In reading-inl.h. False: nothing came.
  asio::awaitable<bool> AwaitFirstByte();
  asio::awaitable<std::optional<Problem>> ReadHead(Turn* turn);
  asio::awaitable<std::optional<Problem>> ReadBody(Turn* turn, Exchange* exchange);
  asio::awaitable<void> Finish(bool may_have_input);

  // In answering-inl.h. False: the connection cannot be used again.
  asio::awaitable<bool> Answer(std::unique_ptr<Turn> turn, Response response);
  asio::awaitable<bool> AnswerWhole(bool is_head, bool keep_alive, Response response);
  asio::awaitable<bool> Refuse(Problem problem);
  asio::awaitable<bool> SendFile(BodyFile* file);
  asio::awaitable<bool> Write(std::string_view bytes);

  // In live-inl.h.
  std::shared_ptr<Outbox> MakeOutbox();
  void LetGoOfOutbox();
  asio::awaitable<void> AwaitWake(std::chrono::milliseconds limit);
  asio::awaitable<void> AnswerLive(bool is_chunked, Response response);
  asio::awaitable<void> EmptyLive(bool is_chunked, bool is_events);
  static asio::awaitable<void> NoticeEnd(Self self);
  asio::awaitable<void> AnswerSocket(std::unique_ptr<Turn> turn, SocketEvents events);
  asio::awaitable<void> ReceiveMessages(WebSocket* wire, const SocketEvents* events);
  static asio::awaitable<void> SendMessages(Self self, std::shared_ptr<WebSocket> wire);

  Hub* const hub_;
  Stream stream_;
  beast::flat_buffer buffer_;  // What was read and not yet understood.
  bool is_first_ = true;
  bool is_busy_ = false;            // With a request that has arrived.
  std::shared_ptr<Outbox> outbox_;  // Of a live pipe or a WebSocket.
  asio::steady_timer timer_;        // Wakes whoever empties it.
};

template <class Stream>
bool Connection<Stream>::Start() {
  const Self self = this->shared_from_this();
  if (!hub_->peers.Add(self, stream_.get_executor())) {
    // Told as far as it takes no time.
    static constexpr std::string_view kFull =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    if (!kIsTls) send(socket().native_handle(), kFull.data(), kFull.size(), MSG_NOSIGNAL);
    return false;
  }
  asio::co_spawn(stream_.get_executor(), Run(self), asio::detached);
  return true;
}

template <class Stream>
void Connection<Stream>::Cancel() {
  Error ignored;
  socket().cancel(ignored);
}

template <class Stream>
void Connection<Stream>::Stop() {
  if (outbox_ != nullptr) {
    outbox_->Close();
  } else if (!is_busy_) {
    Close();
  }
}

template <class Stream>
void Connection<Stream>::Close() {
  Error ignored;
  socket().close(ignored);
  timer_.cancel(ignored);
}

template <class Stream>
asio::awaitable<void> Connection<Stream>::Run(Self self) {
  try {
    co_await self->Serve();
  } catch (const std::exception& error) {
    LogWarning("connection closed: {}", error.what());
  }
  self->LetGoOfOutbox();
  self->Close();
}

template <class Stream>
asio::awaitable<void> Connection<Stream>::Serve() {
  if constexpr (kIsTls) {
    Error error;
    Watch(options().head_time);
    co_await stream_.async_handshake(asio::ssl::stream_base::server,
                                     asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
  }
  bool goes_on = true;
  while (goes_on) goes_on = co_await ServeOne();
}

template <class Stream>
asio::awaitable<bool> Connection<Stream>::ServeOne() {
  const bool has_come = co_await AwaitFirstByte();
  if (!has_come) co_return false;
  auto turn = std::make_unique<Turn>();
  std::optional<Problem> problem = co_await ReadHead(turn.get());
  if (problem) co_return co_await Refuse(std::move(*problem));

  is_busy_ = true;
  Rest();
  std::unique_ptr<Exchange> exchange = BeginSafely(hub_->handler, turn->head);
  problem = co_await ReadBody(turn.get(), exchange.get());
  if (problem) co_return co_await Refuse(std::move(*problem));

  Rest();
  Response response = AnswerSafely(exchange.get());
  exchange.reset();
  co_return co_await Answer(std::move(turn), std::move(response));
}

}  // namespace warden::http

#include "warden/http/answering-inl.h"
#include "warden/http/live-inl.h"
#include "warden/http/reading-inl.h"

#endif  // WARDEN_HTTP_CONNECTION_INL_H_
