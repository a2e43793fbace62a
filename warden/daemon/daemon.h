#ifndef WARDEN_DAEMON_DAEMON_H_
#define WARDEN_DAEMON_DAEMON_H_

// The whole service in one object: what `warden serve` runs.
//
//   auto daemon = Daemon::Start(options, &std::getenv);
//   if (!daemon.ok()) return daemon.status();
//   fmt::print("{}\n", daemon.value()->address());
//   AwaitSignal();  // Ctrl-C, SIGTERM.

#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/client/service_file.h"
#include "warden/service/options.h"

namespace warden::daemon {

// The service, from its folder to its port. While it lives it answers, on its own threads; when it
// is destroyed, jobs continue, and the next one finds them. For one thread.
class Daemon {
 public:
  // Locks the data folder, opens the store, takes up unfinished jobs and listens. options are
  // copied. Writes its address to the service file for the commands of its user, if environment
  // names a home; a failure of that is only a warning.
  //
  // Fails, naming what is in the way, without changing anything of another service: kExists (the
  // data folder is in use), kInvalid (options, files, permissions), kCorrupt (the database), kIo
  // (the port).
  static Result<std::unique_ptr<Daemon>> Start(const service::ServiceOptions& options,
                                               const client::Environment& environment);
  // Stops listening, lets running requests finish (ServerOptions::stop_time), and leaves jobs
  // alone.
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // "http://127.0.0.1:8080": with the port that was chosen. Valid as long as this.
  const std::string& address() const;
  // What the user should know: that jobs run as root, that others can listen in, that the dashboard
  // has no pages. Sentences.
  const std::vector<std::string>& warnings() const;
  // Jobs that are not over, and will continue without the service; 0 if the store fails.
  size_t UnfinishedJobs() const;

 private:
  struct Parts;  // All parts of the service, in the order of their use.
  explicit Daemon(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace warden::daemon

#endif  // WARDEN_DAEMON_DAEMON_H_
