#ifndef WARDEN_DAEMON_VIEWER_H_
#define WARDEN_DAEMON_VIEWER_H_

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/service/options.h"

namespace warden::daemon {

// The dashboard alone, for the runs in some folders: no jobs, no API, nothing that is kept. Answers
// on loopback to whoever has its token, which is new each time, as long as it lives.
class Viewer {
 public:
  // Of the options: runs, local_runs, listen.
  static Result<std::unique_ptr<Viewer>> Start(const service::ServiceOptions& options);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // For a browser, with the token: "http://127.0.0.1:40123/-/#/login?token=...&to=...". The page of
  // the run in this folder, or of all.
  std::string Link(const std::string& run) const;

 private:
  struct Parts;
  explicit Viewer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

// The link to a service's dashboard that lets a browser in.
std::string DashboardLink(const std::string& address, const std::string& token,
                          const std::string& run);

}  // namespace warden::daemon

#endif  // WARDEN_DAEMON_VIEWER_H_
