#ifndef WARDEN_ACTIONS_METRICS_SERVER_H_
#define WARDEN_ACTIONS_METRICS_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "warden/base/status.h"

namespace warden::actions {

// A small HTTP server that answers GET /metrics with a page and refuses everything else (404, 405).
// Runs on a separate thread.
class MetricsServer {
 public:
  // listen: "127.0.0.1:9464", "[::1]:0"; port 0 takes any free port. page is called from the
  // server's thread. kInvalid for a bad address, kIo if it cannot listen there.
  static Result<std::unique_ptr<MetricsServer>> Start(const std::string& listen,
                                                      std::function<std::string()> page);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  uint16_t port() const;

 private:
  class Impl;
  explicit MetricsServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_METRICS_SERVER_H_
