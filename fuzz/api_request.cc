// The input as what clients of the API and programs of jobs send, and as what a service answers:
// the body of a request of each operation, checked against the model and the limits of a key,
// hyperparameters, the token of a page, a reported metric.

#include <cmath>
#include <string>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/base/time.h"
#include "warden/client/api_client.h"
#include "warden/jobs/db/page_token.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/sagemaker/beyond_limits.h"
#include "warden/sagemaker/metrics/reported_metric.h"
#include "warden/sagemaker/model/shapes.h"
#include "warden/sagemaker/model/validate.h"

namespace warden::fuzz {
namespace {

// A key without limits is always allowed. A refusal of one with limits names what is not allowed.
void CheckLimits(const std::string& operation, const Json& body) {
  auth::Identity sender{"AKIA", "123456789012", "us-east-1"};
  Check(!sagemaker::FindBeyondLimits(sender, operation, body));
  sender.limits = {{"team-"}, {"team-"}};
  if (const auto beyond = sagemaker::FindBeyondLimits(sender, operation, body)) {
    Check(!beyond->resource.empty() && !beyond->reason.empty());
  }
}

void UseAsBody(const Json& body) {
  for (const std::string& operation : sagemaker::Operations()) {
    const auto error = sagemaker::Validate(operation, body);
    if (!error) {
      CheckLimits(operation, body);
      continue;
    }
    // Messages go into JSON, so they have to be text.
    Check(error->message.size() < 20'000'000);
    Check(!DumpLikePython(error->message).empty());
  }
}

// Each is for the program or for the platform; the program gets a name and a value of each.
void UseAsHyperParameters(const Json& body) {
  const jobs::HyperParameters decoded = jobs::DecodeHyperParameters(&body);
  Check(decoded.users.is_object() && decoded.platforms.is_object());
  const size_t given = body.is_object() ? body.size() : 0;
  Check(decoded.users.size() + decoded.platforms.size() <= given);
  Check(decoded.Arguments().size() == 2 * decoded.users.size());
  (void)decoded.Platform("sagemaker_program");
}

void UseAsPlace(const Json& place) {
  const auto again = jobs::db::PlaceOf(jobs::db::PageToken(place));
  if (again) Check(*again == place);
}

void UseAsMetric(std::string_view line) {
  const auto metric = sagemaker::ParseMetricLine(line);
  if (!metric) return;
  Check(!metric->name.empty() && metric->name.size() <= 255 && std::isfinite(metric->value));
  Check(metric->time.time_since_epoch().count() >= 0 && IsoTime(metric->time).size() == 24);
}

// As a client of the service reads it: an object or an error with a message.
void UseAsAnswer(const std::string& text) {
  for (const long status : {200, 400, 503}) {
    const auto answer = client::ReadAnswer(status, text);
    Check(answer.ok() ? answer.value().is_object() : !answer.status().message().empty());
    Check(answer.ok() <= (status == 200));
  }
}

}  // namespace
}  // namespace warden::fuzz

// What libFuzzer calls once, before it measures how long inputs take: the first request of an
// operation reads its part of the model.
extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  warden::fuzz::UseAsBody(warden::Json::object());
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  (void)warden::jobs::db::PlaceOf(text);
  warden::fuzz::UseAsMetric(text);
  warden::fuzz::UseAsAnswer(std::string(text));
  const warden::Result<warden::Json> body = warden::ParseJson(text);
  if (!body.ok()) return 0;
  warden::fuzz::UseAsBody(body.value());
  warden::fuzz::UseAsHyperParameters(body.value());
  warden::fuzz::UseAsPlace(body.value());
  return 0;
}
