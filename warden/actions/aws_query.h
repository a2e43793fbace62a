#ifndef WARDEN_ACTIONS_AWS_QUERY_H_
#define WARDEN_ACTIONS_AWS_QUERY_H_

// Requests to services that speak Amazon's query protocol: a form that is posted and signed. Used
// by the actions for SNS (sms.h) and CloudWatch (publish_metric.h). Nothing is sent to Amazon
// unless the settings name its endpoint. Safe for many threads; nothing is kept between calls.

#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/actions/action.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Names and values of one request, in order.
using AwsParameters = std::vector<std::pair<std::string, std::string>>;

// "Action=Publish&Message=a%20b": the body of the request. Values may be any bytes; all but
// letters, digits and "-._~" are escaped (RFC 3986), as the signature requires.
std::string FormEncoded(const AwsParameters& parameters);

// kInvalid, with what to set, if the endpoint or the keys are missing. variable is the environment
// variable that sets the endpoint, for the message. Call it when the action is made, so that the
// user learns of it before the first finding.
Status CheckAws(const AwsSettings& aws, const std::string& endpoint, std::string_view variable);

// Sends one request, signed (version 4) for this service ("sns", "monitoring") in aws.region;
// blocks until the answer. Errors as those of Post in http_post.h; throttling counts as
// kUnavailable. REQUIRES: CheckAws.
Attempt PostAwsQuery(const AwsSettings& aws, const std::string& service,
                     const std::string& endpoint, const AwsParameters& parameters,
                     const std::stop_token& stop);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_AWS_QUERY_H_
