#ifndef WARDEN_DASHBOARD_SITE_DASHBOARD_H_
#define WARDEN_DASHBOARD_SITE_DASHBOARD_H_

#include <memory>

#include "warden/dashboard/site/session.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"

namespace warden::dashboard {

// Answers "/-/" (the page) and everything below "/-/api/" as docs/reference/dashboard_api.md has
// it. The parts outlive it; there may be no store, launcher and supervisor, and then there are no
// jobs.
std::unique_ptr<http::Handler> MakeDashboard(const sagemaker::ApiParts& parts, Sessions sessions);

// Whether it is a browser that asks for "/", where S3 has its list of buckets: it is to be sent to
// the page.
bool WantsDashboard(const http::RequestHead& head);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_DASHBOARD_H_
