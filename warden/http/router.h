#ifndef WARDEN_HTTP_ROUTER_H_
#define WARDEN_HTTP_ROUTER_H_

// Splits one address among handlers: the API, S3, the dashboard. Used by the service (daemon/).
//
//   auto router = MakeRouter({{{ForPath("/-/health"), health.get()}, {&IsApiCall, api.get()}},
//                             /*fallback=*/s3.get()});
//   auto server = Server::Start(options, router.get());

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "warden/http/message.h"

namespace warden::http {

// One rule of a router. Both members are used by many threads at once.
struct Route {
  std::function<bool(const RequestHead&)> matches;  // Must be set.
  Handler* handler = nullptr;                       // Not owned; must be set.
};

// The routes of a router, in the order in which they are tried.
struct Routes {
  std::vector<Route> routes;    // The first that matches gets the request.
  Handler* fallback = nullptr;  // Gets all others; null: they are answered 404.
};

// Returns a handler that passes each request to the handler of its route. It owns none of them:
// they outlive it. Safe for many threads.
std::unique_ptr<Handler> MakeRouter(Routes routes);

// Whether it is "POST /". All of Amazon's services but S3 use only that, and S3 never does, so it
// tells API calls from requests for objects.
bool IsApiCall(const RequestHead& head);
// Returns a matcher for exactly this path, as it is sent (still encoded), with any method and
// query.
std::function<bool(const RequestHead&)> ForPath(std::string_view path);

}  // namespace warden::http

#endif  // WARDEN_HTTP_ROUTER_H_
