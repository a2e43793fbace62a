#include "warden/http/connection.h"

#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "warden/base/log.h"
#include "warden/http/safe_calls.h"

namespace warden::http {

bool Connection::Start() {
  const Self self = shared_from_this();
  if (!hub_->peers.Add(self, stream_.get_executor())) {
    // Told as far as it takes no time.
    static constexpr std::string_view kFull =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    if (!hub_->tls) send(socket().native_handle(), kFull.data(), kFull.size(), MSG_NOSIGNAL);
    return false;
  }
  asio::co_spawn(stream_.get_executor(), Run(self), asio::detached);
  return true;
}

void Connection::Cancel() {
  Error ignored;
  socket().cancel(ignored);
}

void Connection::Stop() {
  if (outbox_ != nullptr) {
    outbox_->Close();
  } else if (!is_busy_) {
    Close();
  }
}

void Connection::Close() {
  Error ignored;
  socket().close(ignored);
  timer_.cancel(ignored);
}

asio::awaitable<void> Connection::Run(Self self) {
  try {
    co_await self->Serve();
  } catch (const std::exception& error) {
    LogWarning("connection closed: {}", error.what());
  }
  self->LetGoOfOutbox();
  self->Close();
}

asio::awaitable<void> Connection::Serve() {
  if (hub_->tls) {
    Error error;
    Watch(options().head_time);
    co_await stream_.async_accept_tls(&*hub_->tls,
                                      asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
  }
  bool goes_on = true;
  while (goes_on) goes_on = co_await ServeOne();
}

asio::awaitable<bool> Connection::ServeOne() {
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
