#ifndef WARDEN_HTTP_REQUEST_HEAD_H_
#define WARDEN_HTTP_REQUEST_HEAD_H_

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <optional>
#include <string>

#include "warden/http/message.h"

namespace warden::http {

// Why a request gets no further.
struct Problem {
  int status = 0;  // 0: there is nobody left to be told.
  std::string text;
};

// What stood in the way of reading a head or a body.
Problem ProblemOf(boost::beast::error_code error);

// Copies the head. The problem is what the parser lets pass and we do not: things that another
// server on the way could understand otherwise than we do.
std::optional<Problem> CopyHead(const boost::beast::http::request_header<>& request,
                                RequestHead* head);

}  // namespace warden::http

#endif  // WARDEN_HTTP_REQUEST_HEAD_H_
