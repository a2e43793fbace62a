#ifndef WARDEN_HTTP_MESSAGE_H_
#define WARDEN_HTTP_MESSAGE_H_

// What the HTTP server and those who answer requests exchange: a request's head, its body in pieces
// (Exchange), and the response. Every part that serves requests implements Handler; nothing here
// knows about sockets or Boost. A handler that needs the whole body, for example:
//
//   std::unique_ptr<Exchange> Begin(const RequestHead& head) override {
//     return GatherBody(1 << 20, Response{.status = 413}, [this, head](const std::string& body) {
//       return Response{.body = Work(head.path, body)};  // On a thread of the server.
//     });
//   }

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warden::http {

// Names and values in the order they are sent. A name may occur more than once.
using Headers = std::vector<std::pair<std::string, std::string>>;

// All of a request but its body.
struct RequestHead {
  std::string method;  // "GET", "POST", ...; never empty.
  std::string path;    // As it was sent: still encoded, without the query. Begins with '/'.
  std::string query;   // As it was sent, without the '?'; may be empty.
  Headers headers;     // As they were sent, repeated ones included.
  std::string peer;    // The IP address of the other side, without the port.
  std::string id;      // A UUID that the server made: the RequestId of API and S3 responses.

  // Returns the value of the first header of that name, in any case; empty if there is none. The
  // view is valid as long as this head.
  std::string_view Header(std::string_view name) const;
};

// A response that stays open and sends now and then, to one client: server-sent events. The server
// and the handler share it. Dropping the last pointer does not end the response: call Close(). Safe
// for many threads; nothing here blocks.
//
//   response.headers = {{"Content-Type", "text/event-stream"}};
//   response.live = [this](std::shared_ptr<LivePipe> pipe) {
//     pipe->Send("data: hello\n\n");
//     Keep(std::move(pipe));  // Another thread sends more.
//   };
class LivePipe {
 public:
  virtual ~LivePipe() = default;
  // Queues a piece: whole lines, since for text/event-stream the server puts comment lines between
  // pieces as heartbeats. False: the client has left, or was too slow to take what was sent before
  // (ServerOptions::live_bytes) and has been cut off; nothing more can be sent. An empty piece only
  // asks whether that is so.
  virtual bool Send(std::string piece) = 0;
  // Ends the response after what was queued before. May be called again.
  virtual void Close() = 0;
};

// A connection that has become a WebSocket. Ownership as with LivePipe: whoever drops it without
// Close() leaves the connection open. Safe for many threads; nothing here blocks.
class Socket {
 public:
  virtual ~Socket() = default;
  // Queues one binary message, of any bytes. False as with LivePipe.
  virtual bool Send(std::string message) = 0;
  // Closes the WebSocket with code 1000 after what was queued before.
  virtual void Close() = 0;
};

// What a handler learns of a WebSocket. The functions are called by threads of the server, one at a
// time: opened, then received for each message, then closed, exactly once. None is called if the
// handshake fails, and any may be empty. An exception from opened or received ends the connection;
// closed must not throw.
struct SocketEvents {
  std::function<void(std::shared_ptr<Socket>)> opened;  // Keep the socket to send.
  // One message, text or binary, of at most ServerOptions::message_bytes. The view ends with the
  // call.
  std::function<void(std::string_view)> received;
  // By whichever side. Send() on the socket returns false from now on.
  std::function<void()> closed;
};

// A range of a regular file, sent in place of a body without reading it into memory. The file is
// opened after Answer() has returned: if it is missing or too short by then, the client gets a 500.
struct FileBody {
  std::string path;                  // Absolute.
  uint64_t offset = 0;               // Bytes from the beginning of the file.
  uint64_t length = 0;               // Bytes to send; offset + length is within the file.
  std::shared_ptr<const void> keep;  // What the path needs to lead there; until it was opened.
};

// The answer to one request. Values that the server cannot send as they are do no harm: control
// characters in headers become blanks, and statuses without a body (1xx, 204, 304) get none.
struct Response {
  int status = 200;  // Any HTTP status.
  // Content-Type, ETag, ... Date, Content-Length, Connection, Server, Transfer-Encoding and
  // Keep-Alive are set by the server, and dropped from here.
  Headers headers;
  std::string body;  // Empty if one of those below is used.
  // At most one of these in place of the body.
  std::optional<FileBody> file;
  // Called once, by a thread of the server, when the headers were sent. Not for HEAD.
  std::function<void(std::shared_ptr<LivePipe>)> live;
  // Accepts a request for a WebSocket. Any other request is answered 426.
  std::optional<SocketEvents> socket;
  // For HEAD: the Content-Length of the body that a GET would get.
  std::optional<uint64_t> told_length;
};

// One request on its way in: its body arrives in pieces, then it is answered. The server owns it
// and uses it from one thread at a time, though not always the same; calls may block on disks,
// briefly. Destroyed without an answer if the client leaves or sends an invalid body. An exception
// is logged and becomes a 500.
class Exchange {
 public:
  virtual ~Exchange() = default;
  // Takes the next piece of the body; the view ends with the call. False: the answer is already
  // clear and the rest is not needed; Take is not called again. (If much is left, the connection
  // ends after the answer.) Where there is a body, the first piece is empty: a client that waits
  // for "100 Continue" gets it if that returns true.
  virtual bool Take(std::string_view piece) = 0;
  // Called once, after the body or after Take() has returned false.
  virtual Response Answer() = 0;
};

// Answers requests. Begin is called by many threads at once; the handler outlives the server.
class Handler {
 public:
  virtual ~Handler() = default;
  // Called when the head has arrived, before a client that waits for "100 Continue" gets it. Copy
  // what is needed of the head: it is valid during the call only. Null is answered 404.
  virtual std::unique_ptr<Exchange> Begin(const RequestHead& head) = 0;
};

// Returns an exchange that gathers the body in memory and then calls answer, once. If the body has
// more than limit bytes, it answers too_large and answer is not called. What answer captures must
// live as long as the server may still run the exchange, that is, until Server::Stop() has
// returned.
std::unique_ptr<Exchange> GatherBody(size_t limit, Response too_large,
                                     std::function<Response(std::string body)> answer);
// Returns an exchange that takes no body and answers this.
std::unique_ptr<Exchange> AnswerAtOnce(Response response);

}  // namespace warden::http

#endif  // WARDEN_HTTP_MESSAGE_H_
