#include "warden/capture/timeline_batch.h"

#include <fmt/format.h>

namespace warden::capture {

void TimelineBatch::WriteTo(TimelineFile* file, std::span<const Kind> kinds) const {
  std::string args;
  auto other = others.begin();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (settings && i == change_at) file->Use(*settings);
    const Entry& entry = entries[i];
    TimelineEvent event{.start_us = entry.start_us, .duration_us = entry.duration_us};
    if (entry.kind == kOther) {
      event.phase = other->phase;
      event.name = other->name;
      event.kind = other->kind;
      event.scope = other->scope;
      event.args = other->args;
      ++other;
    } else if (entry.kind < kinds.size()) {
      const Kind& kind = kinds[entry.kind];
      event.phase = kind.phase;
      event.name = kind.name;
      event.args = kind.args;
      if (entry.step != kNoStep) {
        const char* separator = kind.args.empty() ? "" : ", ";
        args = fmt::format("{}{}\"step_num\": \"{}\"", kind.args, separator, entry.step);
        event.args = args;
      }
    } else {
      continue;
    }
    file->Append(event);
  }
  file->Flush();
  if (settings) file->Use(*settings);  // Again, or after the last event.
}

}  // namespace warden::capture
