#include "warden/actions/metrics_server.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "warden/base/strings.h"
#include "warden/os/blocked_signals.h"

namespace warden::actions {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Error = boost::system::error_code;
using Page = std::function<std::string()>;

constexpr std::chrono::seconds kPatience{10};
constexpr size_t kMaxRequestBytes = size_t{16} << 10;

http::response<http::string_body> AnswerTo(const http::request<http::string_body>& request,
                                           const Page& page) {
  http::response<http::string_body> answer(http::status::ok, request.version());
  answer.keep_alive(request.keep_alive());
  answer.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
  const std::string target(request.target());
  if (target.substr(0, target.find('?')) != "/metrics") {
    answer.result(http::status::not_found);
    answer.body() = "not found; use /metrics\n";
  } else if (request.method() != http::verb::get) {
    answer.result(http::status::method_not_allowed);
    answer.set(http::field::allow, "GET");
    answer.body() = "only GET is allowed\n";
  } else {
    answer.body() = page();
  }
  answer.prepare_payload();
  return answer;
}

// One connection; lives as long as something is under way on it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const Page* page) : stream_(std::move(socket)), page_(page) {}

  void Read() {
    parser_.emplace();
    parser_->header_limit(kMaxRequestBytes);
    parser_->body_limit(kMaxRequestBytes);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
      if (!error) self->Answer();
    });
  }

 private:
  void Answer() {
    answer_ = AnswerTo(parser_->get(), *page_);
    http::async_write(stream_, answer_, [self = shared_from_this()](Error error, size_t) {
      if (!error && self->answer_.keep_alive()) return self->Read();
      Error ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  const Page* const page_;
  beast::flat_buffer buffer_{kMaxRequestBytes * 2};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> answer_;
};

Result<tcp::endpoint> ParseEndpoint(const std::string& listen) {
  const Status refused(Code::kInvalid, fmt::format("listen address is \"{}\"; expected an address "
                                                   "and port such as 127.0.0.1:9464",
                                                   listen));
  const size_t colon = listen.rfind(':');
  if (colon == std::string::npos) return refused;
  std::string host = listen.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  const auto port = ParseInt(listen.substr(colon + 1));
  Error error;
  const auto address = asio::ip::make_address(host, error);
  if (error || !port || *port < 0 || *port > 65535) return refused;
  return tcp::endpoint(address, static_cast<uint16_t>(*port));
}

}  // namespace

class MetricsServer::Impl {
 public:
  explicit Impl(Page page) : page_(std::move(page)), acceptor_(context_) {}
  ~Impl() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  Status Listen(const tcp::endpoint& endpoint) {
    Error error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    if (error) return Status(Code::kIo, error.message());
    Accept();
    const os::BlockedSignals blocked;
    thread_ = std::thread([this] { context_.run(); });
    return Status();
  }

  uint16_t port() const { return port_; }

 private:
  void Accept() {
    acceptor_.async_accept([this](Error error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error) {
        std::make_shared<Session>(std::move(socket), &page_)->Read();
      } else {
        // For example out of descriptors: other connections may end in the meantime.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      Accept();
    });
  }

  const Page page_;
  uint16_t port_ = 0;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  std::thread thread_;
};

MetricsServer::MetricsServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MetricsServer::~MetricsServer() = default;

uint16_t MetricsServer::port() const { return impl_->port(); }

Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& listen,
                                                            std::function<std::string()> page) {
  const auto endpoint = ParseEndpoint(listen);
  if (!endpoint.ok()) return endpoint.status();
  auto impl = std::make_unique<Impl>(std::move(page));
  if (Status status = impl->Listen(endpoint.value()); !status.ok()) {
    return status.WithContext("cannot serve metrics on " + listen);
  }
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(impl)));
}

}  // namespace warden::actions
