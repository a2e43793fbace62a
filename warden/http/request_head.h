#ifndef WARDEN_HTTP_REQUEST_HEAD_H_
#define WARDEN_HTTP_REQUEST_HEAD_H_

// From Beast's idea of a request to ours. Used by the connections alone (connection.h).

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <optional>
#include <string>

#include "warden/http/message.h"

namespace warden::http {

// Why a request is refused before a handler sees it.
struct Problem {
  int status = 0;    // HTTP status; 0: the client has left, send nothing.
  std::string text;  // For the client, one line.
};

// Returns the answer to an error of reading a head or a body: 431 (head too large), 505 (not
// HTTP/1), 400 (malformed), or status 0 where the connection itself failed.
Problem ProblemOf(boost::beast::error_code error);

// Copies method, path, query and headers; id and peer are the caller's. The problem is what the
// parser accepts and we do not, because a proxy on the way could read it differently (request
// smuggling): HTTP/1.1 without exactly one Host (400), a transfer encoding other than chunked
// (501), an expectation other than 100-continue (417), a target that is not a path (400).
std::optional<Problem> CopyHead(const boost::beast::http::request_header<>& request,
                                RequestHead* head);

}  // namespace warden::http

#endif  // WARDEN_HTTP_REQUEST_HEAD_H_
