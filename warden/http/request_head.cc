#include "warden/http/request_head.h"

#include <boost/beast/http/error.hpp>
#include <string_view>

#include "warden/base/strings.h"

namespace warden::http {
namespace {

namespace http = boost::beast::http;

template <class Text>
std::string_view View(const Text& text) {
  return {text.data(), text.size()};
}

// "http://host/path?query", as clients of proxies send it, means the path.
std::string_view WithoutOrigin(std::string_view target) {
  const std::string begin = LowerAscii(target.substr(0, 8));
  if (!begin.starts_with("http://") && !begin.starts_with("https://")) return target;
  const size_t slash = target.find('/', target.find("//") + 2);
  return slash == std::string_view::npos ? "/" : target.substr(slash);
}

}  // namespace

Problem ProblemOf(boost::beast::error_code error) {
  const boost::beast::error_code any = http::error::bad_method;
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return {431, "the headers are too large"};
  }
  if (error == http::error::bad_version) return {505, "only HTTP/1.1 is supported"};
  if (error.category() != any.category() || error == http::error::end_of_stream ||
      error == http::error::partial_message) {
    return {};
  }
  return {400, "invalid request: " + error.message()};
}

std::optional<Problem> CopyHead(const http::request_header<>& request, RequestHead* head) {
  head->method = View(request.method_string());
  for (const auto& field : request) {
    head->headers.emplace_back(View(field.name_string()), View(field.value()));
  }
  if (request.count(http::field::host) != 1 && request.version() >= 11) {
    return Problem{400, "expected one Host header"};
  }
  const auto encodings = request.count(http::field::transfer_encoding);
  if (encodings > 0 &&
      (encodings > 1 || LowerAscii(View(request[http::field::transfer_encoding])) != "chunked")) {
    return Problem{501, "unsupported transfer encoding; expected chunked"};
  }
  if (request.count(http::field::expect) > 0 &&
      LowerAscii(View(request[http::field::expect])) != "100-continue") {
    return Problem{417, "unsupported expectation; expected 100-continue"};
  }
  const std::string_view target = WithoutOrigin(View(request.target()));
  const size_t mark = target.find('?');
  head->path = target.substr(0, mark);
  if (mark != std::string_view::npos) head->query = target.substr(mark + 1);
  if (!head->path.starts_with('/')) return Problem{400, "the address does not begin with /"};
  return std::nullopt;
}

}  // namespace warden::http
