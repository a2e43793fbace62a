#ifndef WARDEN_HTTP_CLIENT_FOR_TEST_H_
#define WARDEN_HTTP_CLIENT_FOR_TEST_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace warden::http {

// A client that sends any bytes, over a socket on this machine.
class TestClient {
 public:
  // receive_bytes: of the system's buffer, to be a slow one soon; 0: the usual.
  explicit TestClient(uint16_t port, int receive_bytes = 0)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_bytes > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof(receive_bytes));
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Close();
  }
  TestClient(TestClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}
  ~TestClient() { Close(); }

  bool is_connected() const { return socket_ >= 0; }
  int socket_number() const { return socket_; }

  void Close() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }
  // So that the other side gets a reset.
  void Abort() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    Close();
  }
  void EndSending() { shutdown(socket_, SHUT_WR); }

  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(size));
    }
    return true;
  }

  // Everything up to and with the mark; what came so far if the connection ends before.
  std::string ReadUntil(std::string_view mark) {
    size_t end = received_.find(mark);
    while (end == std::string::npos && Receive()) end = received_.find(mark);
    return Cut(end == std::string::npos ? received_.size() : end + mark.size());
  }
  std::string Read(size_t size) {
    while (received_.size() < size && Receive()) continue;
    return Cut(std::min(size, received_.size()));
  }
  // Everything to the end of the connection.
  std::string ReadAll() {
    while (Receive()) continue;
    return Cut(received_.size());
  }
  // Whether nothing comes for a moment.
  bool IsQuiet(int milliseconds = 100) {
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    return received_.empty() && poll(&wait, 1, milliseconds) == 0;
  }

  // A head and the body that its Content-Length announces.
  std::string ReadAnswer(bool has_body = true) {
    std::string answer = ReadUntil("\r\n\r\n");
    const size_t at = answer.find("Content-Length: ");
    if (has_body && at != std::string::npos) {
      answer += Read(std::strtoul(answer.c_str() + at + 16, nullptr, 10));
    }
    return answer;
  }
  // Sends it and reads the answer to it.
  std::string Ask(std::string_view request) {
    Send(request);
    return ReadAnswer();
  }

 private:
  // A server that never answers fails the test instead of stopping it.
  static constexpr int kPatience = 20'000;

  bool Receive() {
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    char bytes[16384];
    if (socket_ < 0 || poll(&wait, 1, kPatience) <= 0) return false;
    const ssize_t size = recv(socket_, bytes, sizeof(bytes), 0);
    if (size > 0) received_.append(bytes, static_cast<size_t>(size));
    return size > 0;
  }
  std::string Cut(size_t size) {
    std::string begin = received_.substr(0, size);
    received_.erase(0, size);
    return begin;
  }

  int socket_;
  std::string received_;
};

inline std::string Get(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n\r\n";
}
inline std::string Post(std::string_view path, std::string_view body,
                        std::string_view headers = "") {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n" + std::string(headers) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}
inline std::string BodyOf(const std::string& answer) {
  const size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}
inline std::string StatusOf(const std::string& answer) {
  return answer.size() < 12 ? answer : answer.substr(9, 3);
}

}  // namespace warden::http

#endif  // WARDEN_HTTP_CLIENT_FOR_TEST_H_
