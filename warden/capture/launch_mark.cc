#include "warden/capture/launch_mark.h"

#include "warden/base/json.h"

namespace warden::capture {

Status SetLaunchMark(storage::Store* store, std::string_view key, const std::string& id) {
  return store->Put(key, AsBytes(Json{{"launch", id}}.dump() + "\n"));
}

std::string ReadLaunchMark(const storage::Store& store, std::string_view key) {
  const auto blob = store.ReadAll(key);
  if (!blob.ok()) return "";
  const auto json = ParseJson(AsText(blob.value().bytes));
  if (!json.ok() || !json.value().is_object()) return "";
  const auto found = json.value().find("launch");
  return found != json.value().end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace warden::capture
