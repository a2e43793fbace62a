#ifndef WARDEN_SERVICE_DASHBOARD_SITE_DASHBOARD_H_
#define WARDEN_SERVICE_DASHBOARD_SITE_DASHBOARD_H_

#include <memory>

#include "warden/service/api/api.h"
#include "warden/service/dashboard/site/session.h"
#include "warden/service/http/message.h"

namespace warden::service {

// Answers "/-/" (the page) and everything below "/-/api/" as docs/reference/dashboard_api.md has
// it. The parts outlive it; there may be no store, launcher and supervisor, and then there are no
// jobs.
std::unique_ptr<Handler> MakeDashboard(const ApiParts& parts, Sessions sessions);

// Whether it is a browser that asks for "/", where S3 has its list of buckets: it is to be sent to
// the page.
bool WantsDashboard(const RequestHead& head);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_SITE_DASHBOARD_H_
