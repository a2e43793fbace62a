// Answers that have no end: live pipes and WebSockets; see connection.h, which declares these
// methods. The handler puts pieces into an Outbox from any thread; the connection's coroutine takes
// them out and writes them. In between there is only a timer that is canceled to wake the
// coroutine, so that no thread waits for a client.
#include "warden/http/connection.h"
//
#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <string>
#include <utility>

#include "warden/http/response_head.h"

namespace warden::http {

// Reports the end of a WebSocket, however it came. Calls `closed` exactly once, after the last
// message: a handler may then free what it holds. Both pointers outlive it. Destroyed when
// the coroutine ends, by a return, an error or an exception.
class Closing {
 public:
  Closing(Outbox* outbox, const SocketEvents* events) : outbox_(outbox), events_(events) {}
  ~Closing() {
    outbox_->LetGo();
    if (events_->closed) events_->closed();
  }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

 private:
  Outbox* const outbox_;
  const SocketEvents* const events_;
};

// Wakes come from threads of handlers and are posted to the executor. An outbox that was cut, since
// the client is too slow, closes the connection at once, even in the middle of a write.
std::shared_ptr<Outbox> Connection::MakeOutbox() {
  const std::weak_ptr<Connection> weak = shared_from_this();
  outbox_ =
      std::make_shared<Outbox>(options().live_bytes, [weak, executor = stream_.get_executor()] {
        asio::post(executor, [weak] {
          const Self self = weak.lock();
          if (self == nullptr || self->outbox_ == nullptr) return;
          if (self->outbox_->state() == Outbox::State::kCut) return self->Close();
          Error ignored;
          self->timer_.cancel(ignored);
        });
      });
  // Asked to stop while it was not there yet.
  if (hub_->peers.is_stopping()) outbox_->Close();
  return outbox_;
}

// Called again it does nothing.
void Connection::LetGoOfOutbox() {
  if (outbox_ != nullptr) outbox_->LetGo();
}

// A wake that comes before the wait is not lost: the coroutine looks into the outbox on the same
// executor on which the wake is posted.
asio::awaitable<void> Connection::AwaitWake(std::chrono::milliseconds limit) {
  Error ignored;
  timer_.expires_after(limit);
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

// The read buffer is freed first: live clients are many and stay for hours.
asio::awaitable<void> Connection::AnswerLive(bool is_chunked, Response response) {
  Framing framing;
  framing.keep_alive = false;
  framing.is_chunked = is_chunked;
  bool is_events = false;
  for (const auto& [name, value] : response.headers) {
    is_events = is_events || value.starts_with("text/event-stream");
  }
  const std::string head = ResponseHead(response, framing);
  const bool is_sent = co_await Write(head);
  if (!is_sent) co_return;
  buffer_.consume(buffer_.size());
  buffer_.shrink_to_fit();
  const auto outbox = MakeOutbox();
  asio::co_spawn(stream_.get_executor(), NoticeEnd(shared_from_this()), asio::detached);
  response.live(outbox);
  response = Response();
  co_await EmptyLive(is_chunked, is_events);
  LetGoOfOutbox();
  co_await Finish(/*may_have_input=*/false);
}

// All waiting pieces become one write and, with HTTP/1.1, one chunk.
asio::awaitable<void> Connection::EmptyLive(bool is_chunked, bool is_events) {
  bool is_there = true;
  while (is_there && socket().is_open()) {
    std::string piece = outbox_->All();
    if (piece.empty()) {
      if (outbox_->state() != Outbox::State::kOpen) break;
      const auto due = Clock::now() + options().live_heartbeat;
      co_await AwaitWake(options().live_heartbeat);
      if (!is_events || Clock::now() < due) continue;
      piece = ":\n\n";
    }
    if (is_chunked) piece = fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    is_there = co_await Write(piece);
  }
  if (is_chunked && outbox_->state() == Outbox::State::kClosed) co_await Write("0\r\n\r\n");
}

// Keeps the connection alive by `self` until then.
asio::awaitable<void> Connection::NoticeEnd(Self self) {
  Error error;
  char dropped[64];
  while (!error) {
    co_await self->stream_.async_read_some(asio::buffer(dropped),
                                           asio::redirect_error(asio::use_awaitable, error));
  }
  self->Close();
}

// Beast sends pings and ends connections that do not answer them within idle_time. Messages are not
// compressed.
asio::awaitable<void> Connection::AnswerSocket(std::unique_ptr<Turn> turn, SocketEvents events) {
  const auto wire = std::make_shared<WebSocket>(stream_);
  // They are kept by the stream from here on.
  wire->set_option(websocket::stream_base::timeout{options().write_stall, options().idle_time,
                                                   /*keep_alive_pings=*/true});
  wire->set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(http::field::server, "tensorwarden");
  }));
  wire->read_message_max(options().message_bytes);
  wire->binary(true);
  wire->auto_fragment(false);
  Rest();
  Error error;
  co_await wire->async_accept(turn->parser.get(), asio::redirect_error(asio::use_awaitable, error));
  turn.reset();
  if (error) co_return;
  const auto outbox = MakeOutbox();
  asio::co_spawn(stream_.get_executor(), SendMessages(shared_from_this(), wire), asio::detached);
  const Closing closing(outbox.get(), &events);
  if (events.opened) events.opened(outbox);
  co_await ReceiveMessages(wire.get(), &events);
}

// The buffer is freed after a large message: most of a shell's are a few bytes.
asio::awaitable<void> Connection::ReceiveMessages(WebSocket* wire, const SocketEvents* events) {
  Error error;
  beast::flat_buffer message;
  while (true) {
    co_await wire->async_read(message, asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
    const auto bytes = message.cdata();
    if (events->received) {
      events->received({static_cast<const char*>(bytes.data()), bytes.size()});
    }
    message.consume(message.size());
    if (message.capacity() > kPiece) message.shrink_to_fit();
  }
}

// Closed by us, the client gets a close frame with code 1000; cut off, it gets nothing.
asio::awaitable<void> Connection::SendMessages(Self self, std::shared_ptr<WebSocket> wire) {
  Error error;
  while (!error && self->socket().is_open()) {
    const std::optional<std::string> message = self->outbox_->Next();
    if (message) {
      co_await wire->async_write(asio::buffer(*message),
                                 asio::redirect_error(asio::use_awaitable, error));
    } else if (self->outbox_->state() == Outbox::State::kOpen) {
      co_await self->AwaitWake(std::chrono::hours(1));
    } else {
      break;
    }
  }
  if (!error && self->outbox_->state() == Outbox::State::kClosed) {
    co_await wire->async_close(websocket::close_code::normal,
                               asio::redirect_error(asio::use_awaitable, error));
  }
  self->Close();
}

}  // namespace warden::http
