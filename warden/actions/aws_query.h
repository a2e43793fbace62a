#ifndef WARDEN_ACTIONS_AWS_QUERY_H_
#define WARDEN_ACTIONS_AWS_QUERY_H_

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

// "Action=Publish&Message=a%20b".
std::string FormEncoded(const AwsParameters& parameters);

// kInvalid, with what to set, if the endpoint or the keys are missing.
Status CheckAws(const AwsSettings& aws, const std::string& endpoint, std::string_view variable);

// A request of Amazon's query protocol, signed (version 4).
Attempt PostAwsQuery(const AwsSettings& aws, const std::string& service,
                     const std::string& endpoint, const AwsParameters& parameters,
                     const std::stop_token& stop);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_AWS_QUERY_H_
