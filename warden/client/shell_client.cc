#include "warden/client/shell_client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/text/uri.h"
#include "warden/client/api_client.h"
#include "warden/client/keyboard.h"
#include "warden/client/raw_terminal.h"
#include "warden/client/shell_end.h"
#include "warden/http/either_stream.h"
#include "warden/jobs/exec/protocol.h"
#include "warden/net/url.h"

namespace warden::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
// Without compression, which the service does not offer.
using WebSocket = websocket::stream<http::EitherStream, /*deflateSupported=*/false>;

constexpr size_t kMostMessageBytes = 4 << 20;  // Of one message.
// After so much output the service is told that it was shown.
constexpr uint64_t kToldEvery = 64 << 10;

bool WriteAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Everything from when the connection is open; all in the thread that runs the context.
class Conversation {
 public:
  Conversation(asio::io_context* context, WebSocket* stream)
      : context_(context), stream_(stream), signals_(*context, SIGWINCH, SIGTERM, SIGHUP) {}

  Result<ShellEnd> Run() {
    const RawTerminal raw;
    const Keyboard keyboard([this](std::string keys) {
      asio::post(*context_, [this, typed = std::move(keys)] {
        Send(typed.empty() ? std::string(1, jobs::kEndOfInputMessage) : jobs::kDataMessage + typed);
      });
    });
    stream_->binary(true);
    stream_->read_message_max(kMostMessageBytes);
    Receive();
    AwaitSignal();
    context_->run();
    if (end_) return *end_;
    return Status(Code::kUnavailable, "the connection was lost: " + lost_);
  }

 private:
  void Lose(const std::string& why) {
    lost_ = why;
    context_->stop();
  }

  void Receive() {
    stream_->async_read(buffer_, [this](const error_code& error, size_t) {
      if (error) return Lose(error.message());
      const std::string message = beast::buffers_to_string(buffer_.data());
      buffer_.consume(buffer_.size());
      if (Take(message)) Receive();
    });
  }

  // False at the end.
  bool Take(const std::string& message) {
    if (message.empty()) return true;
    if (message.front() == jobs::kEndMessage) {
      ReadEnd(std::string_view(message).substr(1));
      context_->stop();
      return false;
    }
    if (message.front() != jobs::kDataMessage) return true;
    if (!WriteAll(std::string_view(message).substr(1))) {
      Lose("standard output was closed");
      return false;
    }
    shown_ += message.size() - 1;
    if (shown_ - told_ >= kToldEvery) {
      told_ = shown_;
      Send(fmt::format("{}{}", jobs::kShownMessage, shown_));
    }
    return true;
  }

  void ReadEnd(std::string_view text) {
    end_ = ParseShellEnd(text);
    if (!end_) Lose("the session ended for an unknown reason");
  }

  void Send(std::string message) {
    queue_.push_back(std::move(message));
    if (queue_.size() == 1) SendFirst();
  }

  void SendFirst() {
    stream_->async_write(asio::buffer(queue_.front()), [this](const error_code& error, size_t) {
      if (error) return Lose(error.message());
      queue_.pop_front();
      if (!queue_.empty()) SendFirst();
    });
  }

  void AwaitSignal() {
    signals_.async_wait([this](const error_code& error, int signal) {
      if (error) return;
      if (signal != SIGWINCH) return Lose("stopped by a signal");
      const winsize size = WindowSize();
      Send(fmt::format("{}{}x{}", jobs::kWindowMessage, size.ws_col, size.ws_row));
      AwaitSignal();
    });
  }

  asio::io_context* context_;
  WebSocket* stream_;
  asio::signal_set signals_;
  beast::flat_buffer buffer_;
  std::deque<std::string> queue_;
  uint64_t shown_ = 0;
  uint64_t told_ = 0;
  std::optional<ShellEnd> end_;
  std::string lost_ = "closed by the service";
};

Status Unreachable(const Endpoint& endpoint, const error_code& error) {
  return Status(Code::kUnavailable, fmt::format("cannot connect to the service at {}: {}",
                                                net::ShownUrl(endpoint.url), error.message()));
}

Result<ShellEnd> Converse(const Endpoint& endpoint, const ShellRequest& request,
                          const std::string& host, asio::io_context* context, WebSocket* stream) {
  const std::string token = endpoint.token.Reveal();
  stream->set_option(websocket::stream_base::decorator([token](websocket::request_type& head) {
    head.set(beast::http::field::authorization, "Bearer " + token);
  }));
  const winsize size = WindowSize();
  const char* terminal = std::getenv("TERM");
  websocket::response_type answer;
  error_code error;
  // Its sister that waits does not tell what was answered to a refusal.
  stream->async_handshake(answer, host,
                          ShellTarget(request, size.ws_col, size.ws_row, terminal ? terminal : ""),
                          [&error](const error_code& result) { error = result; });
  context->run();
  context->restart();
  if (error == websocket::error::upgrade_declined) {
    const auto told = ReadAnswer(static_cast<long>(answer.result_int()), answer.body());
    return told.ok() ? Status(Code::kUnavailable, "the service did not open a shell")
                     : told.status();
  }
  if (error) return Unreachable(endpoint, error);
  return Conversation(context, stream).Run();
}

Result<ShellEnd> Connect(const Endpoint& endpoint, const ShellRequest& request,
                         const net::Url& url) {
  asio::io_context context;
  const bool secure = url.scheme == "https";
  const std::string port = !url.port.empty() ? url.port : secure ? "443" : "80";
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  const std::string host = fmt::format("{}:{}", is_ipv6 ? "[" + url.host + "]" : url.host, port);
  error_code error;
  tcp::resolver resolver(context);
  const auto addresses = resolver.resolve(url.host, port, error);
  if (error) return Unreachable(endpoint, error);
  WebSocket stream{tcp::socket(context)};
  asio::connect(stream.next_layer().socket(), addresses, error);
  if (error) return Unreachable(endpoint, error);
  asio::ssl::context tls(asio::ssl::context::tls_client);
  if (secure) {
    tls.set_verify_mode(asio::ssl::verify_peer, error);
    tls.set_default_verify_paths(error);
    if (!endpoint.ca_file.empty()) tls.load_verify_file(endpoint.ca_file, error);
    if (!error) stream.next_layer().Secure(&tls, url.host, &error);
    if (error) return Unreachable(endpoint, error);
  }
  return Converse(endpoint, request, host, &context, &stream);
}

std::string Encoded(const std::string& text) { return UriEncode(text, /*also_slash=*/true); }

}  // namespace

std::string ShellTarget(const ShellRequest& request, int columns, int rows,
                        const std::string& terminal) {
  std::string target =
      fmt::format("/-/exec?job={}&host={}&columns={}&rows={}&term={}", Encoded(request.job),
                  Encoded(request.host), columns, rows, Encoded(terminal));
  for (const std::string& word : request.words) target += "&word=" + Encoded(word);
  return target;
}

Result<ShellEnd> RunShell(const Endpoint& endpoint, const ShellRequest& request) {
  const auto url = net::ParseUrl(endpoint.url, kServiceSchemes);
  if (!url.ok()) return url.status();
  // The library tells most errors by a code, but not all.
  try {
    return Connect(endpoint, request, url.value());
  } catch (const std::exception& exception) {
    return Status(Code::kUnavailable, exception.what());
  }
}

}  // namespace warden::client
