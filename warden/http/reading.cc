// How a connection reads requests; see connection.h, which declares these methods. Bytes from
// anybody arrive here: everything has a limit in size and in time, and what the parser accepts is
// checked once more (request_head.h) before a handler sees it.
#include "warden/http/connection.h"
//
#include <algorithm>
#include <limits>
#include <string>

#include "warden/http/request_id.h"
#include "warden/http/safe_calls.h"

namespace warden::http {
namespace {

// The first read of a request: most have less, and a client that only waits takes no more memory.
constexpr size_t kFirstRead = 1024;
// So much of an unwanted body is read nevertheless, to keep the connection.
constexpr uint64_t kDroppedBytes = 64 << 10;
// What a client still sends when it was answered early: if we closed at once, its system would
// throw our answer away.
constexpr std::chrono::seconds kLingerTime{2};
constexpr size_t kLingerBytes = size_t{16} << 20;

// False for a chunked body, whose length is not known.
bool HasLittleLeft(const Turn& turn) {
  const auto left = turn.parser.content_length_remaining();
  return left && *left <= kDroppedBytes;
}

}  // namespace

// How fast a body comes: on average at the least rate, after a grace period. Only the time for
// which the client is awaited counts, not what handlers and disks take.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  explicit Pace(const ServerOptions& options) : options_(options) {}

  // How long the next bytes are awaited, from now on.
  Milliseconds Patience() {
    asked_ = Clock::now();
    const auto earned = Milliseconds(1000 * bytes_ / std::max<size_t>(options_.body_rate, 1));
    const auto left = std::chrono::ceil<Milliseconds>(options_.body_grace + earned - waited_);
    return std::clamp(left, Milliseconds(0), options_.body_stall);
  }
  // So many have come.
  void Count(size_t bytes) {
    bytes_ += bytes;
    waited_ += Clock::now() - asked_;
  }

 private:
  const ServerOptions& options_;
  uint64_t bytes_ = 0;
  Clock::time_point asked_;
  Clock::duration waited_{0};
};

// What has arrived behind the last request counts: clients may send several in a row (pipelining),
// which are answered one after the other.
asio::awaitable<bool> Connection::AwaitFirstByte() {
  is_busy_ = false;
  BecomeIdle();
  if (hub_->peers.is_stopping()) co_return false;
  if (buffer_.size() > 0) co_return true;
  // Clients that only wait are many: they get little memory.
  if (buffer_.capacity() > 4 * kFirstRead) buffer_.shrink_to_fit();
  Watch(is_first_ ? options().head_time : options().idle_time);
  is_first_ = false;
  Error error;
  const size_t size = co_await stream_.async_read_some(
      buffer_.prepare(kFirstRead), asio::redirect_error(asio::use_awaitable, error));
  buffer_.commit(size);
  co_return !error;
}

// The buffer may hold the head and a piece of the body that came with it.
asio::awaitable<std::optional<Problem>> Connection::ReadHead(Turn* turn) {
  buffer_.max_size(options().head_bytes + kPiece);
  turn->parser.header_limit(static_cast<uint32_t>(options().head_bytes));
  // That is up to the exchange. (This version of Beast takes "none" for zero.)
  turn->parser.body_limit(std::numeric_limits<uint64_t>::max());
  Watch(options().head_time);
  Error error;
  co_await http::async_read_header(stream_, buffer_, turn->parser,
                                   asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return IsLate() ? Problem{408, "timed out reading the headers"} : ProblemOf(error);
  turn->keep_alive = turn->parser.get().keep_alive();
  turn->head.id = NewRequestId();
  turn->head.peer = socket().remote_endpoint(error).address().to_string();
  co_return CopyHead(turn->parser.get(), &turn->head);
}

// The empty piece at first asks the exchange whether it wants the body at all, before the client is
// told to send it.
asio::awaitable<std::optional<Problem>> Connection::ReadBody(Turn* turn, Exchange* exchange) {
  auto& parser = turn->parser;
  if (parser.is_done()) co_return std::nullopt;
  std::optional<bool> is_wanted = TakeSafely(exchange, {});
  if (turn->expects_continue()) {
    turn->keep_alive = turn->keep_alive && is_wanted == true;
    if (is_wanted == false) co_return std::nullopt;
    const bool is_told = co_await Write("HTTP/1.1 100 Continue\r\n\r\n");
    if (!is_told) co_return Problem();
  }
  Pace pace(options());
  std::optional<Clock::time_point> unwanted_until;
  const auto length = parser.content_length();
  std::string piece(length ? std::min<uint64_t>(*length, kPiece) : kPiece, '\0');
  if (piece.size() > kFirstRead) buffer_.reserve(kPiece);
  while (is_wanted.has_value() && !parser.is_done()) {
    if (!*is_wanted) {
      if (!unwanted_until) unwanted_until = Clock::now() + kLingerTime;
      if (!HasLittleLeft(*turn) || Clock::now() >= *unwanted_until) {
        turn->keep_alive = false;
        break;
      }
    }
    auto& body = parser.get().body();
    body.data = piece.data();
    body.size = piece.size();
    const auto patience = pace.Patience();
    Watch(unwanted_until ? std::min<std::chrono::milliseconds>(patience, kLingerTime) : patience);
    Error error;
    co_await http::async_read_some(stream_, buffer_, parser,
                                   asio::redirect_error(asio::use_awaitable, error));
    const bool is_failed = error && error != http::error::need_buffer;
    if (is_failed && unwanted_until && IsLate()) continue;  // It is answered above.
    if (is_failed) {
      co_return IsLate() ? Problem{408, "timed out reading the body"} : ProblemOf(error);
    }
    const size_t size = piece.size() - body.size;
    pace.Count(size);
    if (*is_wanted && size > 0) {
      is_wanted = TakeSafely(exchange, std::string_view(piece).substr(0, size));
    }
  }
  if (!is_wanted) co_return Problem{500, "internal error; see the service log"};
  co_return std::nullopt;
}

// Errors are of no interest: the answer is out, or it never will be.
asio::awaitable<void> Connection::Finish(bool may_have_input) {
  Error ignored;
  Watch(kLingerTime);
  co_await stream_.async_end_tls(asio::redirect_error(asio::use_awaitable, ignored));
  socket().shutdown(tcp::socket::shutdown_send, ignored);
  if (!may_have_input) co_return;
  std::string dropped(kPiece / 4, '\0');
  Error error;
  for (size_t total = 0; !error && total < kLingerBytes;) {
    total += co_await socket().async_read_some(asio::buffer(dropped),
                                               asio::redirect_error(asio::use_awaitable, error));
  }
}

}  // namespace warden::http
