#include "warden/actions/metrics_server.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <utility>

namespace warden::actions {
namespace {

constexpr std::chrono::seconds kPatience{10};
constexpr size_t kMaxRequestBytes = size_t{16} << 10;

class MetricsHandler : public http::Handler {
 public:
  explicit MetricsHandler(std::function<std::string()> page) : page_(std::move(page)) {}

  std::unique_ptr<http::Exchange> Begin(const http::RequestHead& head) override {
    http::Response too_large;
    too_large.status = 413;
    return http::GatherBody(kMaxRequestBytes, std::move(too_large),
                            [this, path = head.path, method = head.method](const std::string&) {
                              return Answer(path, method);
                            });
  }

 private:
  http::Response Answer(const std::string& path, const std::string& method) const {
    http::Response answer;
    answer.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}};
    if (path != "/metrics") {
      answer.status = 404;
      answer.body = "not found; use /metrics\n";
    } else if (method != "GET") {
      answer.status = 405;
      answer.headers.emplace_back("Allow", "GET");
      answer.body = "only GET is allowed\n";
    } else {
      answer.body = page_();
    }
    return answer;
  }

  const std::function<std::string()> page_;
};

http::ServerOptions OptionsFor(const std::string& listen) {
  http::ServerOptions options;
  options.listen = listen;
  options.head_bytes = kMaxRequestBytes;
  options.head_time = options.idle_time = options.body_stall = options.write_stall = kPatience;
  options.stop_time = {};  // No scrape is worth waiting for.
  options.threads = 1;
  options.purpose = "serve metrics";
  options.is_public = true;
  options.answer_invalid = false;
  return options;
}

}  // namespace

Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& listen,
                                                            std::function<std::string()> page) {
  std::unique_ptr<MetricsServer> metrics(
      new MetricsServer(std::make_unique<MetricsHandler>(std::move(page))));
  auto server = http::Server::Start(OptionsFor(listen), metrics->handler_.get());
  if (server.status().code() == Code::kInvalid) {
    return Status(Code::kInvalid, fmt::format("listen address is \"{}\"; expected an address "
                                              "and port such as 127.0.0.1:9464",
                                              listen));
  }
  if (!server.ok()) return server.status();
  metrics->server_ = std::move(server).value();
  return metrics;
}

}  // namespace warden::actions
