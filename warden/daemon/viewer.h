#ifndef WARDEN_DAEMON_VIEWER_H_
#define WARDEN_DAEMON_VIEWER_H_

// The dashboard without a service: what `warden run --open` shows while a training runs, and
// afterwards. `warden serve` uses DashboardLink alone.
//
//   auto viewer = Viewer::Start({.listen = "127.0.0.1:0", .runs = {"/home/me/warden-runs"}});
//   OpenBrowser(viewer.value()->Link("/home/me/warden-runs/run-1"));

#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/service/options.h"

namespace warden::daemon {

// The dashboard alone, for the runs in some folders: no jobs, no API, nothing that is kept. Answers
// those who have its token, which is new for each Viewer, as long as it lives. Plain HTTP: listen
// on loopback.
class Viewer {
 public:
  // Uses runs, local_runs, listen, account and region of the options, which are copied. Errors as
  // http::Server::Start: kInvalid, kIo.
  static Result<std::unique_ptr<Viewer>> Start(const service::ServiceOptions& options);
  // Stops the server; open pages lose their connection.
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // For a browser, with the token: "http://127.0.0.1:40123/-/#/login?token=...&to=...". The page of
  // the run in this folder; of all if it is empty. It is a secret: whoever has it can see the runs.
  std::string Link(const std::string& run) const;

 private:
  struct Parts;
  explicit Viewer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

// The page of the run in this folder as one HTML file that needs no server, for `warden export`.
// most_bytes: of its data, before compression. left_out: what is not in it, sentences for people.
// kNotFound: there is no run; kUnavailable: it cannot be read, or this build has no pages.
struct ExportedPage {
  std::string html;
  std::vector<std::string> left_out;
};
Result<ExportedPage> ExportPage(const std::string& run, size_t most_bytes);

// The same link for any service: its address and its token (DATA/token).
std::string DashboardLink(const std::string& address, const std::string& token,
                          const std::string& run);

}  // namespace warden::daemon

#endif  // WARDEN_DAEMON_VIEWER_H_
