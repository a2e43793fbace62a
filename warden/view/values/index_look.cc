#include "warden/view/values/index_look.h"

#include <algorithm>
#include <cstring>

#include "warden/format/index_file.h"
#include "warden/format/reduction_tensor.h"

namespace warden::view {
namespace {

// As much as a mode, a step and the name of an event file take.
constexpr uint64_t kBeginning = 512;

// The beginning of an index file made a whole one, without its tensors; empty if it has no end of
// meta.
std::string OnlyMeta(std::string_view beginning) {
  const size_t end = beginning.find('}');
  if (end == beginning.npos) return {};
  return std::string(beginning.substr(0, end + 1)).append(R"(, "tensor_payload": []})");
}

// Whether the tensor's name would stand in the file as it is, whoever wrote it.
bool IsPlain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '/';
  });
}

// An empty text need not be anywhere, which memmem does not take.
bool Contains(std::string_view text, std::string_view word) {
  return !text.empty() && memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

void AddEntry(const format::IndexEntry& entry, std::string_view tensor, SavedRecords* saved,
              bool* any) {
  const RecordRange range{entry.start, entry.length};
  if (const auto reduced = format::ParseReductionTensorName(entry.tensor)) {
    if (reduced->tensor != tensor) return;
    saved->reductions.emplace_back(reduced->reduction, range);
  } else {
    if (entry.tensor != tensor) return;
    saved->raw = range;
  }
  *any = true;
}

}  // namespace

Result<trial::ModeStep> ReadModeStep(const storage::Store& store, const std::string& key) {
  const auto object = store.Open(key);
  if (!object.ok()) return object.status();
  format::IndexParser parser;
  const uint64_t size = object.value()->size();
  for (const uint64_t length : {std::min(size, kBeginning), size}) {
    const auto blob = object.value()->Read(0, length);
    if (!blob.ok()) return blob.status();
    const std::string_view text = AsText(blob.value().bytes);
    const std::string meta = length < size ? OnlyMeta(text) : std::string();
    const auto parsed = parser.Parse(length < size ? std::string_view(meta) : text);
    if (parsed.ok()) return trial::ModeStep{parsed.value()->mode, parsed.value()->mode_step};
    if (length == size) return parsed.status().WithContext(store.Locate(key));
  }
  return Status(Code::kBadIndex, store.Locate(key));
}

Result<std::optional<SavedRecords>> ReadSavedRecords(const storage::Store& store,
                                                     const std::string& key,
                                                     std::string_view tensor) {
  const auto blob = store.ReadAll(key);
  if (!blob.ok()) return blob.status();
  const std::string_view text = AsText(blob.value().bytes);
  // Many steps save other tensors, and looking for a word is far quicker than parsing.
  if (IsPlain(tensor) && !Contains(text, tensor)) return std::optional<SavedRecords>();
  format::IndexParser parser;
  const auto parsed = parser.Parse(text);
  if (!parsed.ok()) return parsed.status().WithContext(store.Locate(key));
  const format::IndexFile& file = *parsed.value();
  SavedRecords saved{{file.mode, file.mode_step}, std::string(file.event_file)};
  bool any = false;
  for (const format::IndexEntry& entry : file.entries) AddEntry(entry, tensor, &saved, &any);
  for (const format::IndexShape& shape : file.shapes) any = any || shape.tensor == tensor;
  return any ? std::optional(std::move(saved)) : std::nullopt;
}

}  // namespace warden::view
