// How a connection answers requests; see connection.h, which declares these methods and says
// what they promise. A response has one of four forms: a text, a file, a live pipe or a WebSocket.
// The first two have a known length, and the connection may be used again after them.
#include "warden/http/connection.h"
//
#include <algorithm>
#include <string>
#include <utility>

#include "warden/base/log.h"
#include "warden/http/response_head.h"

namespace warden::http {
namespace {

// How much of a file is in memory at once, for each client that gets one.
constexpr size_t kFilePiece = size_t{256} << 10;
// A body up to this size is sent together with its head.
constexpr size_t kJoined = size_t{64} << 10;

}  // namespace

// A WebSocket is accepted only if nothing else has arrived behind its request: what a client has
// sent too early would be taken for frames.
asio::awaitable<bool> Connection::Answer(std::unique_ptr<Turn> turn, Response response) {
  const bool is_head = turn->is_head();
  if (response.socket) {
    const bool is_alone = buffer_.size() == 0;
    if (is_alone && websocket::is_upgrade(turn->parser.get())) {
      co_await AnswerSocket(std::move(turn), std::move(*response.socket));
      co_return false;
    }
    response = TextResponse(426, "expected a WebSocket request");
    response.headers.emplace_back("Upgrade", "websocket");
  } else if (response.live && !is_head) {
    const bool is_chunked = turn->parser.get().version() >= 11;
    turn.reset();
    co_await AnswerLive(is_chunked, std::move(response));
    co_return false;
  }
  const bool keep_alive = turn->keep_alive && !hub_->peers.is_stopping();
  const bool is_read = turn->parser.is_done();
  turn.reset();
  const bool is_sent = co_await AnswerWhole(is_head, keep_alive, std::move(response));
  if (is_sent && !keep_alive) co_await Finish(/*may_have_input=*/!is_read);
  co_return is_sent&& keep_alive;
}

// The file is opened before the head is sent: one that is gone by now can still become a 500.
asio::awaitable<bool> Connection::AnswerWhole(bool is_head, bool keep_alive, Response response) {
  std::unique_ptr<BodyFile> file;
  if (response.file && !is_head) {
    auto opened = BodyFile::Open(*response.file);
    if (opened.ok()) {
      file = std::move(opened).value();
    } else {
      LogError("cannot send a file: {}", opened.status().message());
      response = TextResponse(500, "cannot read the file; see the service log");
    }
  }
  Framing framing;
  framing.keep_alive = keep_alive;
  framing.length = response.file ? response.file->length : response.body.size();
  if (is_head && response.told_length) framing.length = response.told_length;
  std::string head = ResponseHead(response, framing);
  const bool has_body = !is_head && !IsBodiless(response.status);
  std::string_view body = has_body ? std::string_view(response.body) : std::string_view();
  if (file == nullptr && body.size() <= kJoined) {
    head += body;
    body = {};
  }
  bool is_sent = co_await Write(head);
  if (is_sent && file != nullptr && has_body) {
    is_sent = co_await SendFile(file.get());
  } else if (is_sent && file == nullptr) {
    is_sent = co_await Write(body);
  }
  co_return is_sent;
}

// The connection always ends: after a request that could not be understood, nobody knows where the
// next one begins.
asio::awaitable<bool> Connection::Refuse(Problem problem) {
  if (problem.status == 0 || !options().answer_invalid) co_return false;
  const bool is_sent = co_await AnswerWhole(/*is_head=*/false, /*keep_alive=*/false,
                                            TextResponse(problem.status, problem.text));
  if (is_sent) co_await Finish(/*may_have_input=*/true);
  co_return false;
}

// The file was checked when it was opened, but may shrink while it is sent.
asio::awaitable<bool> Connection::SendFile(BodyFile* file) {
  std::string piece;
  while (file->left() > 0) {
    piece.resize(std::min<uint64_t>(kFilePiece, file->left()));
    // Less than was told: only the end of the connection can tell the client.
    if (!file->Read(&piece)) co_return false;
    const bool is_sent = co_await Write(piece);
    if (!is_sent) co_return false;
  }
  co_return true;
}

// The limit is for each piece that the system takes, not for the whole: a large file may take an
// hour if the client reads it steadily.
asio::awaitable<bool> Connection::Write(std::string_view bytes) {
  Error error;
  while (!error && !bytes.empty()) {
    Watch(options().write_stall);
    const size_t size = co_await stream_.async_write_some(
        asio::buffer(bytes.data(), bytes.size()), asio::redirect_error(asio::use_awaitable, error));
    bytes.remove_prefix(size);
  }
  Rest();
  co_return !error;
}

}  // namespace warden::http
