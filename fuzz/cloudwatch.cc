// The input as what clients of CloudWatch send: a body in CBOR, a form, a filter pattern, a time.

#include <string>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/sagemaker/cloudwatch_wire.h"
#include "warden/sagemaker/filter_pattern.h"

namespace warden::fuzz {
namespace {

using namespace sagemaker;

void UseAsBody(const std::string& text) {
  if (const std::optional<Json> body = FromCbor(text)) {
    Check(body->is_object());
    (void)ToCborResponse(*body, "id");
  }
  const Json form = FromQueryForm(text);
  Check(form.is_object());
  Check(!ToQueryResponse("GetMetricData", form, "id").body.empty());
  (void)IsoSecond(text);
}

// The first line is the pattern, the rest is what it is looked for in.
void UseAsPattern(std::string_view text) {
  const size_t end = text.find('\n');
  const std::string_view pattern = text.substr(0, end);
  const std::string_view line = end == text.npos ? pattern : text.substr(end + 1);
  const auto filter = FilterPattern::Parse(pattern);
  if (!filter.ok()) {
    Check(filter.status().code() == Code::kInvalid);
    return;
  }
  // A copy selects the same lines.
  const FilterPattern copy = filter.value();
  Check(copy.Matches(line) == filter.value().Matches(line));
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsBody(std::string(text));
  warden::fuzz::UseAsPattern(text);
  return 0;
}
