#include "warden/jobs/events/event_members.h"

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/text/utf8.h"

namespace warden::jobs {

std::string TextIn(const Json& object, const char* name) {
  return OneLine(TextOf(MemberOf(object, name)));
}

std::string JobOf(const Json& event) {
  const Json* detail = MemberOf(event, "detail");
  if (detail == nullptr) return "";
  std::string name = TextIn(*detail, "TrainingJobName");
  if (!name.empty()) return name;
  // That of a rule is told by its ARN.
  const std::string arn = TextIn(*detail, "TrainingJobArn");
  return arn.substr(arn.rfind('/') + 1);
}

}  // namespace warden::jobs
