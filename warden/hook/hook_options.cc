// The calls of <warden.h> that say what is recorded.
#include "warden/hook/hook_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/hook/arguments.h"
#include "warden/hook/error.h"

namespace warden::hook {
namespace {

// The body of a call that changes options.
template <class Body>
wd_status Change(wd_options* options, const Body& body) {
  if (options == nullptr) return Fail(WD_INVALID, "options is NULL");
  return Guarded([&] { return Told(body()); });
}

}  // namespace
}  // namespace warden::hook

using warden::Code;
using warden::Status;
using warden::hook::Change;
using warden::hook::NameFrom;
using warden::hook::TextFrom;

extern "C" {

wd_options* wd_options_new(void) {
  return warden::hook::Guarded<wd_options*>(nullptr, [] { return new wd_options; });
}

void wd_options_free(wd_options* options) { delete options; }

wd_status wd_options_set_out_dir(wd_options* options, const char* folder) {
  return Change(options, [&] {
    const auto text = TextFrom(folder, "folder");
    if (text.ok()) options->config.SetFolder(text.value());
    return text.status();
  });
}

wd_status wd_options_set_config(wd_options* options, const char* json) {
  return Change(options, [&] {
    const auto text = TextFrom(json, "json");
    return text.ok() ? options->config.SetText(text.value()) : text.status();
  });
}

wd_status wd_options_load_config(wd_options* options, const char* path) {
  return Change(options, [&] {
    const auto name = TextFrom(path, "path");
    if (!name.ok()) return name.status();
    const auto file = warden::config::ReadHookConfigFile(name.value());
    if (!file.ok()) return file.status();
    const Status status = options->config.SetText(file.value().text);
    return status.ok() ? status : status.WithContext(file.value().path);
  });
}

wd_status wd_options_set(wd_options* options, const char* key, const char* value) {
  return Change(options, [&] {
    const auto name = NameFrom(key, "key");
    if (!name.ok()) return name.status();
    const auto text = TextFrom(value, name.value());
    return text.ok() ? options->config.Set(name.value(), text.value()) : text.status();
  });
}

wd_status wd_options_include(wd_options* options, const char* collection) {
  return Change(options, [&] {
    const auto name = NameFrom(collection, "collection");
    if (name.ok()) options->config.Include(name.value());
    return name.status();
  });
}

wd_status wd_options_set_for(wd_options* options, const char* collection, const char* key,
                             const char* value) {
  return Change(options, [&] {
    const auto name = NameFrom(collection, "collection");
    if (!name.ok()) return name.status();
    const auto known = NameFrom(key, "key");
    if (!known.ok()) return known.status();
    const auto text = TextFrom(value, known.value());
    if (!text.ok()) return text.status();
    return options->config.SetFor(name.value(), known.value(), text.value());
  });
}

wd_status wd_options_add_pattern(wd_options* options, const char* collection, const char* pattern) {
  return Change(options, [&] {
    const auto name = NameFrom(collection, "collection");
    if (!name.ok()) return name.status();
    const auto text = TextFrom(pattern, "pattern");
    return text.ok() ? options->config.AddPattern(name.value(), text.value()) : text.status();
  });
}

wd_status wd_options_set_framework(wd_options* options, const char* framework) {
  return Change(options, [&] {
    const auto known = warden::hook::FrameworkFrom(framework);
    if (known.ok()) options->program.framework = known.value();
    return known.status();
  });
}

wd_status wd_options_set_worker(wd_options* options, int32_t rank, int32_t world_size) {
  return Change(options, [&] {
    if (rank < 0 || rank >= world_size) {
      return Status(
          Code::kInvalid,
          fmt::format("rank is {} and world_size is {}; expected a rank from 0 to world_size - 1",
                      rank, world_size));
    }
    options->program.worker = fmt::format("worker_{}", rank);
    options->program.world_size = world_size;
    options->program.is_chief = rank == 0;
    return Status();
  });
}

wd_status wd_options_set_staging(wd_options* options, size_t bytes, int32_t drop) {
  return Change(options, [&] {
    options->program.staging_bytes = bytes;
    options->program.overflow =
        drop != 0 ? warden::capture::Overflow::kDrop : warden::capture::Overflow::kWait;
    return Status();
  });
}

wd_status wd_options_set_original_types_only(wd_options* options, int32_t only) {
  return Change(options, [&] {
    options->program.original_types_only = only != 0;
    return Status();
  });
}

wd_status wd_options_set_last_step(wd_options* options, int64_t step) {
  return Change(options, [&] {
    Status status = warden::hook::CheckStep(step);
    if (!status.ok()) return status;
    options->program.last_step = step;
    options->program.last_mode_steps.fill(step);
    return status;
  });
}

}  // extern "C"
