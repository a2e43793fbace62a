#ifndef WARDEN_DASHBOARD_SITE_DASHBOARD_H_
#define WARDEN_DASHBOARD_SITE_DASHBOARD_H_

// The dashboard as a whole: the only header that other parts need to serve it, with session.h. Used
// by the service and by the viewer of `warden run --open`.

#include <memory>

#include "warden/dashboard/site/export_run.h"
#include "warden/dashboard/site/session.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"

namespace warden::dashboard {

// Answers "/-/" (the page) and everything below "/-/api/" as docs/reference/dashboard_api.md has
// it. The objects that parts points to outlive it; parts itself is copied. There may be no store,
// launcher and supervisor (null), and then there are no jobs. Bodies above 64 KiB are refused with
// 413. The handler has a thread for live events; destroying it closes their connections. Safe for
// many threads.
//
//   Sessions sessions(&authenticator, token, secure, options.data);
//   std::unique_ptr<http::Handler> dashboard = MakeDashboard(parts, std::move(sessions));
std::unique_ptr<http::Handler> MakeDashboard(const sagemaker::ApiParts& parts, Sessions sessions);

// The page of the run in a folder, without a server (export_run.h). options: `runs` has the folder;
// folder: canonical. kNotFound: there is no run in it.
Result<ExportedRun> ExportFolder(const service::ServiceOptions& options, const std::string& folder,
                                 const ExportLimits& limits);

// Whether it is a browser that asks for "/", where S3 has its list of buckets: it is to be
// redirected to the page. Clients of S3 sign their requests and do not ask for HTML.
bool WantsDashboard(const http::RequestHead& head);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_DASHBOARD_H_
