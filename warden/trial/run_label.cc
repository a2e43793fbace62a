#include "warden/trial/run_label.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/storage/store.h"

namespace warden::trial {
namespace {

constexpr char kLabelFile[] = "warden/label.json";
constexpr uint64_t kMostLabelBytes = 1 << 20;

Status BadLabel(const std::string& file, std::string_view what) {
  return Status(Code::kCorrupt, fmt::format("{}: {}", file, what));
}

Result<std::optional<RunLabel>> ParseLabel(std::string_view text, const std::string& file) {
  const auto json = ParseJson(text);
  if (!json.ok()) return BadLabel(file, json.status().message());
  RunLabel label;
  const std::string name = TextOf(MemberOf(json.value(), "label"));
  if (name != "good" && name != "bad") {
    return BadLabel(file, fmt::format("label is '{}'; expected good or bad", name.substr(0, 80)));
  }
  label.good = name == "good";
  if (const Json* since = MemberOf(json.value(), "since")) {
    if (!since->is_number_integer() || since->get<int64_t>() < 0) {
      return BadLabel(file, "since: expected a non-negative integer");
    }
    label.since = since->get<int64_t>();
  }
  label.note = TextOf(MemberOf(json.value(), "note"));
  const Json* time = MemberOf(json.value(), "time");
  if (time != nullptr && time->is_number()) label.time = time->get<double>();
  return std::optional(std::move(label));
}

}  // namespace

Json ToJson(const RunLabel& label) {
  return {{"label", label.name()},
          {"since", label.since ? Json(*label.since) : Json()},
          {"note", label.note},
          {"time", label.time}};
}

Result<std::optional<RunLabel>> ReadRunLabel(const std::string& run) {
  const auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  const auto file = store.value()->Open(kLabelFile);
  if (file.status().code() == Code::kNotFound) return std::optional<RunLabel>();
  if (!file.ok()) return file.status();
  const std::string path = store.value()->Locate(kLabelFile);
  const uint64_t size = file.value()->size();
  if (size > kMostLabelBytes) return BadLabel(path, "larger than any label");
  const auto text = file.value()->Read(0, size);
  if (!text.ok()) return text.status();
  return ParseLabel(AsText(text.value().bytes), path);
}

Status WriteRunLabel(const std::string& run, const RunLabel& label) {
  const auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  return store.value()->Put(kLabelFile, AsBytes(DumpLikePython(ToJson(label)) + "\n"));
}

Status RemoveRunLabel(const std::string& run) {
  const auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  return store.value()->Remove(kLabelFile);
}

}  // namespace warden::trial
