#ifndef WARDEN_HTTP_MESSAGE_H_
#define WARDEN_HTTP_MESSAGE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warden::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

// All of a request but its body.
struct RequestHead {
  std::string method;
  std::string path;   // As it was sent: still encoded, without the query. Begins with '/'.
  std::string query;  // As it was sent, without the '?'.
  Headers headers;    // As they were sent.
  std::string peer;   // The address of the other side.
  std::string id;     // A UUID of our own.

  // The value of the first header of that name, in any case; empty if there is none.
  std::string_view Header(std::string_view name) const;
};

// Something that sends now and then, to one client: server-sent events. Safe for many threads.
class LivePipe {
 public:
  virtual ~LivePipe() = default;
  // Queues it: whole lines, since the server puts comment lines between pieces as signs of life.
  // False: the client has gone, or was too slow to take what was sent before and has been cut off;
  // nothing more can be sent. An empty piece only asks whether that is so.
  virtual bool Send(std::string piece) = 0;
  // What was queued before is still sent.
  virtual void Close() = 0;
};

// A connection that has become a WebSocket. Safe for many threads.
class Socket {
 public:
  virtual ~Socket() = default;
  virtual bool Send(std::string message) = 0;  // As LivePipe; a binary message, of any bytes.
  virtual void Close() = 0;
};

struct SocketEvents {
  std::function<void(std::shared_ptr<Socket>)> opened;
  std::function<void(std::string_view)> received;  // One message.
  std::function<void()> closed;                    // By whichever side; nothing comes after it.
};

struct FileBody {
  std::string path;
  uint64_t offset = 0;
  uint64_t length = 0;
  std::shared_ptr<const void> keep;  // What the path needs to lead there; until it was opened.
};

struct Response {
  int status = 200;
  Headers headers;  // Beside Date, Content-Length and Connection, which the server sets.
  std::string body;
  // At most one of these in place of the body.
  std::optional<FileBody> file;
  std::function<void(std::shared_ptr<LivePipe>)> live;  // Called when the headers were sent.
  std::optional<SocketEvents> socket;                   // The request asked for a WebSocket.
  // For HEAD: the length that is told of a body that is not sent.
  std::optional<uint64_t> told_length;
};

// One request on its way in: its body comes in pieces, then it is answered. Used by one thread at a
// time, from any of the server's; may block on disks, briefly. Destroyed without an answer if the
// client goes away or sends nonsense.
class Exchange {
 public:
  virtual ~Exchange() = default;
  // False: it is clear already how to answer, the rest of the body is not wanted. Where there is a
  // body, called first with an empty piece: a client that waits for "100 Continue" gets it if true.
  virtual bool Take(std::string_view piece) = 0;
  virtual Response Answer() = 0;
};

// Answers requests. Safe for many threads.
class Handler {
 public:
  virtual ~Handler() = default;
  // Called when the head has arrived, before the client that waits for "100 Continue" gets it.
  virtual std::unique_ptr<Exchange> Begin(const RequestHead& head) = 0;
};

// An exchange that gathers the body and then calls answer. If it is larger than limit it answers
// too_large instead.
std::unique_ptr<Exchange> GatherBody(size_t limit, Response too_large,
                                     std::function<Response(std::string body)> answer);
// One that takes no body.
std::unique_ptr<Exchange> AnswerAtOnce(Response response);

}  // namespace warden::http

#endif  // WARDEN_HTTP_MESSAGE_H_
