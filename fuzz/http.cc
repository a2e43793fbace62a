// The input as what a client sends to the HTTP server on one connection: heads, bodies of a length
// or in chunks, messages of a WebSocket. Taken apart here, and sent to a server, whole and in
// pieces: its handler must see the same.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <cerrno>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "warden/base/strings.h"
#include "warden/http/request_head.h"
#include "warden/http/request_id.h"
#include "warden/http/router.h"
#include "warden/http/server.h"

namespace warden::fuzz {
namespace {

using Beast = boost::beast::http::request_parser<boost::beast::http::buffer_body>;

constexpr size_t kHeadBytes = size_t{32} << 10;

// A head without what the server adds.
struct Head {
  std::string method, path, query;
  http::Headers headers;

  bool operator==(const Head&) const = default;
};

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

std::vector<std::string> All(const Head& head, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [each, value] : head.headers) {
    if (LowerAscii(each) == name) values.push_back(value);
  }
  return values;
}

// What reaches a handler cannot be read in two ways.
void CheckAccepted(const Head& head) {
  Check(!head.method.empty() && head.path.starts_with('/'));
  for (const std::string& text : {head.method, head.path, head.query}) {
    Check(!HasControls(text) && text.find(' ') == std::string::npos);
  }
  for (const auto& [name, value] : head.headers) {
    Check(!name.empty() && name.find_first_of(" \t:") == std::string::npos && !HasControls(name));
    Check(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
  const auto lengths = All(head, "content-length"), encodings = All(head, "transfer-encoding");
  Check(encodings.size() <= 1 && (encodings.empty() || lengths.empty()));
  for (const std::string& length : lengths) Check(length == lengths.front());
}

// The first head, given so many bytes at a time; nothing if it is not accepted.
std::optional<Head> HeadOf(std::string_view text, size_t piece) {
  Beast parser;
  parser.header_limit(kHeadBytes);
  std::string waiting;
  boost::beast::error_code error;
  for (size_t at = 0; at < text.size() && !parser.is_header_done(); at += piece) {
    waiting += text.substr(at, piece);
    waiting.erase(0, parser.put(boost::asio::buffer(waiting), error));
    if (error && error != boost::beast::http::error::need_more) {
      Check(http::ProblemOf(error).status >= 400);
      return std::nullopt;
    }
  }
  if (!parser.is_header_done()) return std::nullopt;
  http::RequestHead head;
  if (const auto problem = http::CopyHead(parser.get(), &head)) {
    Check(problem->status >= 400 && problem->status < 600 && !problem->text.empty());
    return std::nullopt;
  }
  return Head{head.method, head.path, head.query, head.headers};
}

// One request as the handler got it, or one message of a WebSocket.
struct Seen {
  Head head;
  std::string body;
  bool is_whole = false;

  bool operator==(const Seen&) const = default;
};

class Recorder final : public http::Handler {
 public:
  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    CheckAccepted({head.method, head.path, head.query, head.headers});
    Check(!head.id.empty() && head.peer == "127.0.0.1");
    const std::lock_guard lock(mutex_);
    seen_.push_back({{head.method, head.path, head.query, head.headers}, "", false});
    return std::make_unique<Taking>(this, seen_.size() - 1, head.path == "/socket");
  }

  // All that came since the last call.
  std::vector<Seen> Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(seen_, {});
  }

 private:
  class Taking final : public http::Exchange {
   public:
    Taking(Recorder* to, size_t number, bool socket) : to_(to), number_(number), socket_(socket) {}

    bool Take(std::string_view piece) override {
      const std::lock_guard lock(to_->mutex_);
      to_->seen_[number_].body += piece;
      return true;
    }
    http::Response Answer() override {
      const std::lock_guard lock(to_->mutex_);
      to_->seen_[number_].is_whole = true;
      http::Response response;
      if (!socket_) {
        response.body = "ok\n";
        return response;
      }
      response.socket = http::SocketEvents{{},
                                           [to = to_](std::string_view message) {
                                             const std::lock_guard inner(to->mutex_);
                                             to->seen_.push_back({{}, std::string(message), true});
                                           },
                                           {}};
      return response;
    }

   private:
    Recorder* to_;
    const size_t number_;
    const bool socket_;
  };

  std::mutex mutex_;
  std::vector<Seen> seen_;
};

class TestedServer {
 public:
  TestedServer()
      : router_(
            http::MakeRouter({{{&http::IsApiCall, &recorder_}, {http::ForPath("/a"), &recorder_}},
                              /*fallback=*/&recorder_})) {
    // So that OpenSSL ends after the server's threads, which have parts of it.
    (void)http::NewRequestId();
    http::ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.head_bytes = kHeadBytes;
    options.threads = 1;
    options.reserved_files = 0;
    auto started = http::Server::Start(options, router_.get());
    Check(started.ok());
    server_ = std::move(started).value();
  }

  // What the handler saw of one connection. Returns when the server has closed it.
  std::vector<Seen> Send(std::string_view text, size_t piece) {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Check(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    const int on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // Closing without a handshake: ports are not kept from thousands of clients that follow.
    const linger at_once{1, 0};
    setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    for (size_t at = 0; at < text.size(); at += piece) {
      const std::string_view part = text.substr(at, piece);
      if (send(client, part.data(), part.size(), MSG_NOSIGNAL) < 0) break;
    }
    shutdown(client, SHUT_WR);
    std::string answer;
    char block[4096];
    for (ssize_t got = 0; (got = recv(client, block, sizeof block, 0)) > 0;) {
      answer.append(block, static_cast<size_t>(got));
    }
    close(client);
    Check(answer.empty() || answer.starts_with("HTTP/1.1 "));
    return recorder_.Take();
  }

 private:
  Recorder recorder_;
  std::unique_ptr<http::Handler> router_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden::fuzz;
  static TestedServer server;
  const std::string_view text = Text(data, size);
  const auto head = HeadOf(text, size + 1);
  Check(HeadOf(text, 1) == head);
  if (head) CheckAccepted(*head);
  const std::vector<Seen> whole = server.Send(text, size + 1);
  Check(whole.empty() || (head && whole.front().head == *head));
  size_t bytes = 0;
  for (const Seen& seen : whole) bytes += seen.body.size();
  Check(bytes <= size);
  if (!whole.empty()) Check(server.Send(text, std::max<size_t>(1, size / 5)) == whole);
  return 0;
}
