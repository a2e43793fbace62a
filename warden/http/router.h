#ifndef WARDEN_HTTP_ROUTER_H_
#define WARDEN_HTTP_ROUTER_H_

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "warden/http/message.h"

namespace warden::http {

struct Route {
  std::function<bool(const RequestHead&)> matches;
  Handler* handler = nullptr;
};

struct Routes {
  std::vector<Route> routes;    // The first that matches has it.
  Handler* fallback = nullptr;  // Of all others; without one they are answered 404.
};

// Hands each request to the handler whose it is. The handlers outlive it.
std::unique_ptr<Handler> MakeRouter(Routes routes);

// "POST /": of Amazon's services all but S3 use it, and S3 does not.
bool IsApiCall(const RequestHead& head);
// Matches requests for exactly this path, whatever the method and query.
std::function<bool(const RequestHead&)> ForPath(std::string_view path);

}  // namespace warden::http

#endif  // WARDEN_HTTP_ROUTER_H_
