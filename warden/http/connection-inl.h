#ifndef WARDEN_HTTP_CONNECTION_INL_H_
#define WARDEN_HTTP_CONNECTION_INL_H_

// One client's connection, with or without TLS. Templates of the stream, included only by
// connection_plain.cc and connection_tls.cc; everybody else uses connection.h. The class is defined
// here, its methods in three files by what they do: reading-inl.h, answering-inl.h, live-inl.h.
//
// All of a connection runs on its executor, one coroutine at a time (two with a live answer: one
// that sends, one that notices the end), so nothing here is locked. Other threads reach it through
// Peers, which post to the executor, and through the Outbox, which has its own lock.
//
// Nothing waits without a limit: before each operation Watch() sets the time until which it must be
// done, and Peers cancels what is late, after which the operation ends with an error. Rest() says
// that nothing is awaited from the client. Errors of the network are not reported to anybody: the
// connection is closed.

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

// One request, while it is being read. Destroyed before a live answer, which may last for hours.
struct Turn {
  http::request_parser<http::buffer_body> parser;
  // What handlers see. Set by ReadHead.
  RequestHead head;
  // Whether the client may send another request on the connection after this one.
  bool keep_alive = true;

  bool is_head() const { return parser.get().method() == http::verb::head; }
  // The client sends the body only after "100 Continue": "Expect", from HTTP/1.1 on.
  bool expects_continue() const {
    return parser.get().version() >= 11 && parser.get().count(http::field::expect) > 0;
  }
};

// Shared: a coroutine of the connection keeps it alive, Peers only knows it weakly. The Hub
// outlives it. Public methods are called on the executor.
template <class Stream>
class Connection final : public Peer, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  // args: what the stream is made of.
  template <class... Args>
  explicit Connection(Hub* hub, Args&&... args)
      : hub_(hub), stream_(std::forward<Args>(args)...), timer_(stream_.get_executor()) {}
  ~Connection() override { hub_->peers.Remove(this); }

  // Adds it to the hub's and serves it. False: there are too many. Without TLS the client then
  // gets 503, if that takes no time.
  bool Start();

  // Peer: ends the operation that is late; whoever awaits it decides what follows.
  void Cancel() override;
  // Peer: the service ends. A request that has arrived is still answered; a live answer ends after
  // what is in its outbox; an idle connection is closed at once.
  void Stop() override;
  // Peer: at once, whatever is under way.
  void Close() override;

 private:
  using Self = std::shared_ptr<Connection>;
  using WebSocket = websocket::stream<Stream&, /*deflateSupported=*/false>;
  static constexpr bool kIsTls = !std::is_same_v<Stream, tcp::socket>;

  tcp::socket& socket() { return beast::get_lowest_layer(stream_); }
  const ServerOptions& options() const { return hub_->options; }

  // The whole life of the connection, which it keeps alive. An exception, of memory that is not
  // there say, ends this connection and no other.
  static asio::awaitable<void> Run(Self self);
  // The TLS handshake, within head_time, and then requests until there are no more.
  asio::awaitable<void> Serve();
  // One request and its answer. False: that was the last one.
  asio::awaitable<bool> ServeOne();

  // In reading-inl.h.
  //
  // Waits for the next request, head_time for the first one and idle_time for others. False: none
  // came, or the service stops.
  asio::awaitable<bool> AwaitFirstByte();
  // Reads and checks the request line and the headers, head_bytes of them at most. A Problem is
  // what the client did wrong, with status and text; status 0: it is gone.
  asio::awaitable<std::optional<Problem>> ReadHead(Turn* turn);
  // Gives the body to the exchange, piece by piece, as it comes. What the exchange does not want is
  // read and dropped if it is short; otherwise the connection ends after the answer.
  asio::awaitable<std::optional<Problem>> ReadBody(Turn* turn, Exchange* exchange);
  // After the last answer: ends our side, and reads what the client still sends for up to two
  // seconds, so that its system does not throw the answer away.
  asio::awaitable<void> Finish(bool may_have_input);

  // In answering-inl.h. False: the connection cannot be used again.
  //
  // Sends any kind of response: whole, live or WebSocket. The turn is gone before it waits.
  asio::awaitable<bool> Answer(std::unique_ptr<Turn> turn, Response response);
  // A response whose length is known: a text or a file. For HEAD the headers alone, with the length
  // that GET would have.
  asio::awaitable<bool> AnswerWhole(bool is_head, bool keep_alive, Response response);
  // Tells the client its problem if options say so, and closes. Always false.
  asio::awaitable<bool> Refuse(Problem problem);
  // In pieces of 256 KB. False as well if the file is shorter than was announced.
  asio::awaitable<bool> SendFile(BodyFile* file);
  // All of the bytes, which outlive the call; write_stall for each piece that the system takes.
  asio::awaitable<bool> Write(std::string_view bytes);

  // In live-inl.h.
  //
  // What the handler fills from any thread and this connection empties. The outbox may outlive the
  // connection: it holds a weak reference to it.
  std::shared_ptr<Outbox> MakeOutbox();
  // The client is gone: what a handler still puts into the outbox is dropped.
  void LetGoOfOutbox();
  // Until something is in the outbox or it has ended, or for `limit`.
  asio::awaitable<void> AwaitWake(std::chrono::milliseconds limit);
  // Sends the headers and then what comes into the outbox, until it is closed or the client is
  // gone. Always the last answer of a connection. is_chunked: HTTP/1.1, which shows the client a
  // proper end; an older client sees the connection closed.
  asio::awaitable<void> AnswerLive(bool is_chunked, Response response);
  // is_events: an empty comment is sent after each live_heartbeat without an event, so that a
  // client that is gone is noticed.
  asio::awaitable<void> EmptyLive(bool is_chunked, bool is_events);
  // Reads and drops, only to learn that the client has closed its side, and closes ours.
  static asio::awaitable<void> NoticeEnd(Self self);
  // Accepts the WebSocket; reads messages here while a second coroutine sends them. `closed` is
  // called exactly once if `opened` was reached.
  asio::awaitable<void> AnswerSocket(std::unique_ptr<Turn> turn, SocketEvents events);
  // Up to message_bytes each; a longer one ends the connection. The handler gets a view that is
  // valid during the call.
  asio::awaitable<void> ReceiveMessages(WebSocket* wire, const SocketEvents* events);
  // One message of the WebSocket for each of the outbox, always binary.
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
  BecomeBusy();
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
