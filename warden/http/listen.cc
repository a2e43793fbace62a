#include "warden/http/listen.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "warden/base/strings.h"

namespace warden::http {
namespace {

// A program that the killed server before us was about to start may still hold its socket.
constexpr auto kFreeWithin = std::chrono::seconds(3);
constexpr auto kTryEvery = std::chrono::milliseconds(20);

struct Endpoint {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  bool is_ipv6 = false;

  sockaddr* address() {
    return is_ipv6 ? reinterpret_cast<sockaddr*>(&v6) : reinterpret_cast<sockaddr*>(&v4);
  }
  socklen_t size() const { return is_ipv6 ? sizeof(v6) : sizeof(v4); }
  uint16_t port() const { return ntohs(is_ipv6 ? v6.sin6_port : v4.sin_port); }
  bool IsLoopback() const {
    return is_ipv6 ? IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr) : (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
  }
};

Result<Endpoint> Parse(const std::string& text) {
  const Status refused(Code::kInvalid,
                       fmt::format("invalid address \"{}\"; expected an address and a port, such "
                                   "as 127.0.0.1:8080 or [::1]:8080",
                                   text));
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return refused;
  const auto port = ParseInt(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) return refused;
  std::string host = text.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  Endpoint endpoint;
  endpoint.is_ipv6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  endpoint.v4.sin_family = AF_INET;
  endpoint.v6.sin6_family = AF_INET6;
  endpoint.v4.sin_port = endpoint.v6.sin6_port = htons(static_cast<uint16_t>(*port));
  const int is_read =
      endpoint.is_ipv6
          ? inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &endpoint.v6.sin6_addr)
          : inet_pton(AF_INET, host.c_str(), &endpoint.v4.sin_addr);
  if (is_read != 1) return refused;
  return endpoint;
}

// "127.0.0.1", "[::1]".
std::string HostOf(const Endpoint& endpoint) {
  char text[INET6_ADDRSTRLEN] = {};
  if (!endpoint.is_ipv6) {
    inet_ntop(AF_INET, &endpoint.v4.sin_addr, text, sizeof(text));
    return text;
  }
  inet_ntop(AF_INET6, &endpoint.v6.sin6_addr, text, sizeof(text));
  return fmt::format("[{}]", text);
}

// Programs that are started meanwhile must not get it. -1: errno says why.
int OpenAt(Endpoint* endpoint) {
  const int fd =
      socket(endpoint->is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  const int on = 1;
  socklen_t size = endpoint->size();
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
      bind(fd, endpoint->address(), size) == 0 && listen(fd, SOMAXCONN) == 0 &&
      getsockname(fd, endpoint->address(), &size) == 0) {
    return fd;
  }
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

Result<Listener> Listen(const std::string& address) {
  auto parsed = Parse(address);
  if (!parsed.ok()) return parsed.status();
  Endpoint& endpoint = parsed.value();
  const auto deadline = std::chrono::steady_clock::now() + kFreeWithin;
  int fd = OpenAt(&endpoint);
  while (fd < 0 && errno == EADDRINUSE && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kTryEvery);
    fd = OpenAt(&endpoint);
  }
  if (fd < 0) return Status(Code::kIo, std::strerror(errno));
  return Listener{.socket = fd,
                  .is_ipv6 = endpoint.is_ipv6,
                  .is_loopback = endpoint.IsLoopback(),
                  .port = endpoint.port(),
                  .host = HostOf(endpoint)};
}

}  // namespace warden::http
