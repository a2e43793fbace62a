#include "warden/http/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>
#include <vector>
//
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "warden/base/log.h"
#include "warden/http/connection.h"
#include "warden/http/listen.h"
#include "warden/http/tls_context.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/open_files.h"

namespace warden::http {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::chrono::milliseconds kLookAround{100};
constexpr std::chrono::milliseconds kAcceptPause{20};
constexpr std::chrono::seconds kWarnEvery{1};
constexpr int kFewestThreads = 8;
constexpr size_t kFewestConnections = 16;
// Each may have a file that it sends or writes.
constexpr size_t kFilesPerConnection = 2;

// So many connections that there are descriptors left for all others who need some.
ServerOptions WithinLimits(ServerOptions options) {
  const size_t files = os::OpenFilesLimit();
  const size_t left = files > options.reserved_files ? files - options.reserved_files : 0;
  options.max_connections =
      std::min(options.max_connections, std::max(kFewestConnections, left / kFilesPerConnection));
  return options;
}

// Whether there is a connection to accept.
bool IsAnyoneWaiting(int listener) {
  pollfd look{.fd = listener, .events = POLLIN, .revents = 0};
  return poll(&look, 1, 0) > 0;
}

}  // namespace

class Server::Impl {
 public:
  Impl(const ServerOptions& options, Handler* handler)
      : hub_(WithinLimits(options), handler),
        executor_(asio::make_strand(hub_.context)),
        acceptor_(executor_),
        timer_(executor_) {}
  ~Impl() { Stop(); }

  Status Start();
  void Stop();
  uint16_t port() const { return port_; }
  const std::string& address() const { return address_; }

 private:
  asio::awaitable<void> Accept();
  asio::awaitable<void> LookAround();
  // All that wait. False: the system refuses, for now.
  bool AcceptAll();
  void Admit(int socket);
  void Work();

  Hub hub_;
  const asio::any_io_executor executor_;  // Of what follows.
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  bool is_over_ = false;
  std::chrono::steady_clock::time_point warned_;  // When connections could not be accepted.
  bool is_ipv6_ = false;
  uint16_t port_ = 0;
  std::string address_;
  std::vector<std::thread> threads_;
};

Status Server::Impl::Start() {
  const ServerOptions& options = hub_.options;
  if (options.tls_certificate.empty() != options.tls_key.empty()) {
    return Status(Code::kInvalid, "TLS needs both a certificate and a key");
  }
  const bool is_tls = !options.tls_key.empty();
  if (is_tls) {
    hub_.tls.emplace(asio::ssl::context::tls_server);
    Status status = UseCertificate(options.tls_certificate, options.tls_key, &*hub_.tls);
    if (!status.ok()) return status;
  }
  auto listener = Listen(options.listen);
  if (listener.status().code() == Code::kIo) {
    return listener.status().WithContext(
        fmt::format("cannot {} on {}", options.purpose, options.listen));
  }
  if (!listener.ok()) return listener.status();
  is_ipv6_ = listener.value().is_ipv6;
  port_ = listener.value().port;
  address_ = fmt::format("{}://{}:{}", is_tls ? "https" : "http", listener.value().host, port_);
  acceptor_.assign(is_ipv6_ ? tcp::v6() : tcp::v4(), listener.value().socket);
  if (!listener.value().is_loopback && !is_tls && !options.is_public) {
    LogWarning(
        "{} is reachable from other machines without encryption: data and tokens can be "
        "intercepted. Use TLS, or listen on 127.0.0.1",
        address_);
  }
  asio::co_spawn(executor_, Accept(), asio::detached);
  asio::co_spawn(executor_, LookAround(), asio::detached);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int threads = options.threads > 0 ? options.threads : std::max(kFewestThreads, 2 * cores);
  const os::BlockedSignals blocked;
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
  return Status();
}

void Server::Impl::Work() {
  while (true) {
    try {
      hub_.context.run();
      return;
    } catch (const std::exception& error) {
      LogError("the server continues after an error: {}", error.what());
    }
  }
}

asio::awaitable<void> Server::Impl::Accept() {
  Error error;
  while (!hub_.peers.is_stopping()) {
    co_await acceptor_.async_wait(tcp::acceptor::wait_read,
                                  asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
    if (AcceptAll()) continue;
    // Others can end meanwhile.
    asio::steady_timer pause(executor_, kAcceptPause);
    co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
  }
}

bool Server::Impl::AcceptAll() {
  while (true) {
    // The others wait in the system's queue meanwhile, without being refused.
    if (hub_.peers.IsCrowded()) return false;
    // Programs that are started meanwhile must not get it, which Asio's own does not see to.
    const int socket =
        accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
      Admit(socket);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return true;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      const int error = errno;
      const bool is_full = error == EMFILE || error == ENFILE;
      // The system looks for a descriptor before it looks for a connection: if there is none of
      // either, nobody has to go, least of all the one who has just come.
      if (is_full && !IsAnyoneWaiting(acceptor_.native_handle())) return true;
      // Somebody who waits has descriptors to spare; the next attempt is after a pause.
      if (is_full) hub_.peers.CloseIdlest();
      // Once a second at most: the one who fills us must not fill the log, too.
      if (const auto now = std::chrono::steady_clock::now(); now - warned_ >= kWarnEvery) {
        warned_ = now;
        LogWarning("cannot accept a connection: {}{}", std::strerror(error),
                   is_full ? "; raise the limit of open files (ulimit -n)" : "");
      }
      return false;
    }
  }
}

void Server::Impl::Admit(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  try {
    tcp::socket owned(asio::make_strand(hub_.context));
    Error error;
    owned.assign(is_ipv6_ ? tcp::v6() : tcp::v4(), socket, error);
    if (error) {
      close(socket);
      return;
    }
    const bool is_served = std::make_shared<Connection>(&hub_, std::move(owned))->Start();
    const auto now = std::chrono::steady_clock::now();
    if (!is_served && !hub_.peers.is_stopping() && now - warned_ >= kWarnEvery) {
      warned_ = now;
      LogWarning("connection refused: {} connections are busy", hub_.options.max_connections);
    }
  } catch (const std::exception& error) {
    LogError("cannot serve a connection: {}", error.what());
  }
}

asio::awaitable<void> Server::Impl::LookAround() {
  Error error;
  while (!is_over_) {
    timer_.expires_after(kLookAround);
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, error));
    hub_.peers.CancelLate();
  }
}

void Server::Impl::Stop() {
  if (threads_.empty()) return;
  hub_.peers.StopAll();
  asio::post(executor_, [this] {
    Error ignored;
    acceptor_.close(ignored);
  });
  if (!hub_.peers.AwaitNone(hub_.options.stop_time)) {
    do {
      hub_.peers.CloseAll();
    } while (!hub_.peers.AwaitNone(kLookAround));
  }
  asio::post(executor_, [this] {
    // A wait that has just ended by itself cannot be cancelled: it must be told too.
    is_over_ = true;
    Error ignored;
    timer_.cancel(ignored);
  });
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

uint16_t Server::port() const { return impl_->port(); }
const std::string& Server::address() const { return impl_->address(); }
void Server::Stop() { impl_->Stop(); }

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler* handler) {
  auto impl = std::make_unique<Impl>(options, handler);
  if (Status status = impl->Start(); !status.ok()) return status;
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

}  // namespace warden::http
