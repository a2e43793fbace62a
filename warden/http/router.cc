#include "warden/http/router.h"

#include <string>
#include <utility>

namespace warden::http {
namespace {

class Router : public Handler {
 public:
  explicit Router(Routes routes) : routes_(std::move(routes)) {}

  std::unique_ptr<Exchange> Begin(const RequestHead& head) override {
    for (const Route& route : routes_.routes) {
      if (route.matches(head)) return route.handler->Begin(head);
    }
    if (routes_.fallback != nullptr) return routes_.fallback->Begin(head);
    Response response;
    response.status = 404;
    response.headers = {{"Content-Type", "text/plain; charset=utf-8"}};
    response.body = "not found\n";
    return AnswerAtOnce(std::move(response));
  }

 private:
  const Routes routes_;
};

}  // namespace

std::unique_ptr<Handler> MakeRouter(Routes routes) {
  return std::make_unique<Router>(std::move(routes));
}

bool IsApiCall(const RequestHead& head) { return head.method == "POST" && head.path == "/"; }

std::function<bool(const RequestHead&)> ForPath(std::string_view path) {
  return [path = std::string(path)](const RequestHead& head) { return head.path == path; };
}

}  // namespace warden::http
