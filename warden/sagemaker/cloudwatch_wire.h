#ifndef WARDEN_SAGEMAKER_CLOUDWATCH_WIRE_H_
#define WARDEN_SAGEMAKER_CLOUDWATCH_WIRE_H_

// How requests and answers of CloudWatch are written: CBOR, and forms with answers in XML. Pure
// functions.

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker {

// A body in CBOR; an empty one is an empty object. Nothing if it is anything but one object. Times
// become seconds since 1970.
std::optional<Json> FromCbor(const std::string& body);
// "rpc-v2-cbor" of Smithy.
http::Response ToCborResponse(const Json& answer, const std::string& request_id);
http::Response ToCborResponse(const ApiError& error, const std::string& request_id);

// "Dimensions.member.1.Name=x&Period=60" as {"Dimensions": [{"Name": "x"}], "Period": "60"}: all
// values are texts. Anything else in it is left out; at most 500 fields and 12 levels.
Json FromQueryForm(std::string_view body);
// The answer of an operation in XML. Numbers below "Timestamp" and "Timestamps" are times.
http::Response ToQueryResponse(std::string_view operation, const Json& answer,
                               const std::string& request_id);

// Seconds since 1970 of "2026-11-17T10:00:00Z", also with a fraction or an offset ("+00:00").
// Nothing for anything else.
std::optional<double> IsoSecond(const std::string& text);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_CLOUDWATCH_WIRE_H_
