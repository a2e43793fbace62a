#include "warden/jobs/events/receivers.h"

#include <fmt/format.h>

#include <set>

#include "warden/config/json_fields.h"
#include "warden/jobs/events/receiver_reader.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

Result<std::vector<Receiver>> ReadReceivers(const Json& json, const ReceiverReader& reader) {
  const Json* list = json.is_object() ? config::Member(json, "receivers") : nullptr;
  if (list == nullptr || !list->is_array() || json.size() != 1) {
    return Status(Code::kInvalid,
                  "expected an object with a list 'receivers' and no other members");
  }
  std::vector<Receiver> receivers;
  std::set<std::string> names;
  for (size_t i = 0; i < list->size(); ++i) {
    auto read = reader.Read((*list)[i]);
    const std::string place = fmt::format("receiver {}", i + 1);
    if (!read.ok()) return read.status().WithContext(place);
    for (Receiver& receiver : read.value()) {
      if (!names.insert(receiver.name).second) {
        return Status(Code::kInvalid, fmt::format("{}: duplicate name '{}'", place, receiver.name));
      }
      receivers.push_back(std::move(receiver));
    }
  }
  return receivers;
}

}  // namespace

Result<std::vector<Receiver>> LoadReceivers(const service::ServiceOptions& options,
                                            const actions::SmtpSettings& smtp, JobStore* store) {
  const std::string path = options.events.empty() ? options.data + "/events.json" : options.events;
  const auto text = os::ReadWholeFile(path);
  if (!text) {
    if (options.events.empty()) return std::vector<Receiver>();
    return Status(Code::kInvalid, fmt::format("cannot read {}", path));
  }
  const auto json = ParseJson(*text);
  if (!json.ok())
    return Status(Code::kInvalid, fmt::format("{}: {}", path, json.status().message()));
  auto receivers = ReadReceivers(json.value(), ReceiverReader(options, smtp, store));
  if (!receivers.ok()) {
    return Status(Code::kInvalid, fmt::format("{}: {}", path, receivers.status().message()));
  }
  return receivers;
}

}  // namespace warden::jobs
