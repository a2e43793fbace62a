#ifndef WARDEN_HTTP_CONNECTION_H_
#define WARDEN_HTTP_CONNECTION_H_

// One client's connection, with or without TLS. Its methods are in files by what they do:
// connection.cc, reading.cc, answering.cc, live.cc. Only these and server.cc include this.
//
// All of a connection runs on its executor, one coroutine at a time (two with a live answer: one
// that sends, one that notices the end), so nothing here is locked. Other threads reach it through
// Peers, which post to the executor, and through the Outbox, which has its own lock.
//
// Nothing waits without a limit: before each operation Watch() sets the time until which it must be
// done, and Peers cancels what is late, after which the operation ends with an error. Rest() says
// that nothing is awaited from the client. Errors of the network are not reported to anybody: the
// connection is closed.

// Boost.Asio uses std::exchange without including it.
#include <utility>
//
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <memory>
#include <optional>
#include <string_view>

#include "warden/http/body_file.h"
#include "warden/http/either_stream.h"
#include "warden/http/hub.h"
#include "warden/http/outbox.h"
#include "warden/http/request_head.h"

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
class Connection final : public Peer, public std::enable_shared_from_this<Connection> {
 public:
  // Takes a socket, whose executor must be a strand.
  Connection(Hub* hub, tcp::socket socket)
      : hub_(hub), stream_(std::move(socket)), timer_(stream_.get_executor()) {}
  ~Connection() override { hub_->peers.Remove(this); }

  // Serves the client until either side closes, with TLS if the hub has it. Returns at once: the
  // work happens on the socket's executor. False: there are too many clients, or the server is
  // stopping; the socket is closed, and a plain one got a 503 as far as that took no time.
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
  using WebSocket = websocket::stream<EitherStream&, /*deflateSupported=*/false>;

  tcp::socket& socket() { return stream_.socket(); }
  const ServerOptions& options() const { return hub_->options; }

  // The whole life of the connection, which it keeps alive. An exception, of memory that is not
  // there say, ends this connection and no other.
  static asio::awaitable<void> Run(Self self);
  // The TLS handshake, within head_time, and then requests until there are no more.
  asio::awaitable<void> Serve();
  // One request and its answer. False: that was the last one.
  asio::awaitable<bool> ServeOne();

  // In reading.cc.
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

  // In answering.cc. False: the connection cannot be used again.
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

  // In live.cc.
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
  EitherStream stream_;
  beast::flat_buffer buffer_;  // What was read and not yet understood.
  bool is_first_ = true;
  bool is_busy_ = false;            // With a request that has arrived.
  std::shared_ptr<Outbox> outbox_;  // Of a live pipe or a WebSocket.
  asio::steady_timer timer_;        // Wakes whoever empties it.
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_CONNECTION_H_
