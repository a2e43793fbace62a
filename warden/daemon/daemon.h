#ifndef WARDEN_DAEMON_DAEMON_H_
#define WARDEN_DAEMON_DAEMON_H_

#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/client/service_file.h"
#include "warden/service/options.h"

namespace warden::daemon {

// The whole service, from its folder to its port. While it lives it answers; when it goes, jobs go
// on, and the next one finds them.
class Daemon {
 public:
  // Tells its address to the commands of its user by the service file, if environment has a home.
  // Fails, naming what is in the way, without having changed anything that another service has.
  static Result<std::unique_ptr<Daemon>> Start(const service::ServiceOptions& options,
                                               const client::Environment& environment);
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // "http://127.0.0.1:8080".
  const std::string& address() const;
  // What whoever runs it should know: that jobs run as root, that others can listen in.
  const std::vector<std::string>& warnings() const;
  // Jobs that are not over: they go on when it goes.
  size_t UnfinishedJobs() const;

 private:
  struct Parts;
  explicit Daemon(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace warden::daemon

#endif  // WARDEN_DAEMON_DAEMON_H_
