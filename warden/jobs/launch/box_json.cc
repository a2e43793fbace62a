#include "warden/jobs/launch/box_json.h"

#include <algorithm>

#include "warden/base/json_members.h"

namespace warden::jobs {
namespace {

Status WrongBox(const char* member) {
  return Status(Code::kCorrupt, std::string("box: ") + member + " is missing or invalid");
}

}  // namespace

Json ToJson(const os::Box& box) {
  Json shown = Json::array();
  for (const os::Box::Shown& each : box.shown) {
    shown.push_back({{"from", each.from},
                     {"to", each.to},
                     {"beneath", each.beneath},
                     {"writable", each.writable},
                     {"optional", each.optional}});
  }
  return {{"hidden", box.hidden},
          {"shown", std::move(shown)},
          {"without_root", box.without_root},
          {"user", box.user ? Json(*box.user) : Json()},
          {"host_name", box.host_name},
          {"network", box.network},
          {"processes", box.processes}};
}

Result<os::Box> BoxFromJson(const Json& json) {
  os::Box box;
  const Json* hidden = MemberOf(json, "hidden");
  const Json* shown = MemberOf(json, "shown");
  if (hidden == nullptr || !hidden->is_array()) return WrongBox("hidden");
  if (shown == nullptr || !shown->is_array()) return WrongBox("shown");
  for (const Json& each : *hidden) {
    box.hidden.push_back(TextOf(&each));
    if (!box.hidden.back().starts_with('/')) return WrongBox("hidden");
  }
  for (const Json& each : *shown) {
    os::Box::Shown read{TextOf(MemberOf(each, "from")), TextOf(MemberOf(each, "to")),
                        TextOf(MemberOf(each, "beneath")), IsTrue(MemberOf(each, "writable")),
                        IsTrue(MemberOf(each, "optional"))};
    if (!read.from.starts_with('/') || !read.to.starts_with('/')) return WrongBox("shown");
    box.shown.push_back(std::move(read));
  }
  box.without_root = IsTrue(MemberOf(json, "without_root"));
  if (const Json* user = MemberOf(json, "user")) {
    const int64_t number = IntegerOf(user);
    // A box for another user that makes its program root would be worse than none.
    if (number <= 0 || number >= UINT32_MAX) return WrongBox("user");
    box.user = static_cast<uid_t>(number);
  }
  box.host_name = TextOf(MemberOf(json, "host_name"));
  box.network = IsTrue(MemberOf(json, "network"));
  box.processes =
      static_cast<uint64_t>(std::max<int64_t>(0, IntegerOf(MemberOf(json, "processes"))));
  return box;
}

}  // namespace warden::jobs
