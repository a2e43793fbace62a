// The calls of <warden.h> that make hooks and end them.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "warden/base/strings.h"
#include "warden/config/keys.h"
#include "warden/hook/hook_handle.h"
#include "warden/hook/hook_options.h"
#include "warden/hook/roles.h"

namespace warden::hook {
namespace {

// Puts in what the program says of itself.
Result<std::unique_ptr<wd_hook>> Make(const capture::HookOptions& program,
                                      std::optional<config::HookConfig> config) {
  std::optional<int> rank;
  if (program.world_size > 1) {
    rank = static_cast<int>(ParseInt(program.worker.substr(program.worker.find('_') + 1)).value());
  }
  auto made = std::make_unique<wd_hook>(rank);
  if (!config) return made;
  capture::HookOptions options = program;
  options.config = std::move(*config);
  MakeRoomForRoles(&options.config);
  auto capture = capture::Hook::Create(options);
  if (!capture.ok()) return capture.status();
  made->capture = std::move(capture).value();
  return made;
}

// The configuration that the environment gives; none if it gives none, or forbids to record.
Result<std::optional<config::HookConfig>> ConfigOfEnvironment(config::Framework framework) {
  using Config = std::optional<config::HookConfig>;
  const char* allowed = std::getenv("USE_SMDEBUG");
  const std::string word = LowerAscii(Trim(allowed == nullptr ? "" : allowed));
  if (word == "false" || word == "0") return Config();
  auto config = config::LoadHookConfig("", framework);
  if (config.ok()) return Config(std::move(config).value());
  const char* named = std::getenv(config::kConfigPathVariable);
  const bool asked_for = named != nullptr && *named != '\0';
  if (config.status().code() == Code::kNotFound && !asked_for) return Config();
  return config.status();
}

Status Close(wd_hook* hook) {
  const std::lock_guard lock(hook->closing);
  if (hook->closed.exchange(true, std::memory_order_acq_rel)) return hook->close_status;
  hook->timeline.EndStep();
  if (hook->capture != nullptr) hook->close_status = hook->capture->Close();
  hook->timeline.Close();
  return hook->close_status;
}

wd_status Create(const wd_options* options, bool from_environment, wd_hook** hook) {
  const capture::HookOptions program =
      options == nullptr ? capture::HookOptions() : options->program;
  std::optional<config::HookConfig> config;
  if (from_environment) {
    auto loaded = ConfigOfEnvironment(program.framework);
    if (!loaded.ok()) return Told(loaded.status());
    config = std::move(loaded).value();
  } else {
    auto built = options->config.Build(program.framework);
    if (!built.ok()) return Told(built.status());
    config = std::move(built).value();
  }
  auto made = Make(program, std::move(config));
  if (!made.ok()) return Told(made.status());
  *hook = std::move(made).value().release();
  return WD_OK;
}

}  // namespace
}  // namespace warden::hook

using warden::hook::Fail;
using warden::hook::Guarded;
using warden::hook::IsCopy;
using warden::hook::Told;

extern "C" {

wd_status wd_hook_create(const wd_options* options, wd_hook** hook) {
  if (hook == nullptr)
    return Fail(WD_INVALID, "hook is NULL; expected a pointer to store the new hook");
  *hook = nullptr;
  if (options == nullptr) return Fail(WD_INVALID, "options is NULL");
  return Guarded([&] { return warden::hook::Create(options, /*from_environment=*/false, hook); });
}

wd_status wd_hook_create_from_environment(const wd_options* options, wd_hook** hook) {
  if (hook == nullptr)
    return Fail(WD_INVALID, "hook is NULL; expected a pointer to store the new hook");
  *hook = nullptr;
  return Guarded([&] { return warden::hook::Create(options, /*from_environment=*/true, hook); });
}

int32_t wd_hook_is_active(const wd_hook* hook) {
  return hook != nullptr && !IsCopy(*hook) && hook->capture != nullptr &&
                 !hook->closed.load(std::memory_order_acquire)
             ? 1
             : 0;
}

wd_status wd_hook_flush(wd_hook* hook) {
  return warden::hook::OnCapture(hook, [&] { return hook->capture->Flush(); });
}

wd_status wd_hook_close(wd_hook* hook) {
  if (hook == nullptr) return Fail(WD_INVALID, "hook is NULL");
  if (IsCopy(*hook)) return WD_OK;
  return Guarded([&] { return Told(warden::hook::Close(hook)); });
}

void wd_hook_free(wd_hook* hook) {
  if (hook == nullptr) return;
  if (!IsCopy(*hook)) (void)wd_hook_close(hook);
  delete hook;
}

wd_status wd_hook_status(const wd_hook* hook) {
  if (hook == nullptr) return Fail(WD_INVALID, "hook is NULL");
  if (IsCopy(*hook) || hook->capture == nullptr) return WD_OK;
  return Guarded([&] { return Told(hook->capture->status()); });
}

wd_status wd_hook_counters(const wd_hook* hook, wd_counters* counters) {
  if (counters == nullptr) return Fail(WD_INVALID, "counters is NULL");
  const size_t size = counters->struct_size;
  if (size < sizeof(size_t))
    return Fail(WD_INVALID, "counters: struct_size is not set; expected sizeof(wd_counters)");
  wd_counters now{};
  if (hook != nullptr && !IsCopy(*hook) && hook->capture != nullptr) {
    const warden::capture::HookCounters c = hook->capture->counters();
    now = {size, c.saved_steps, c.saved_tensors, c.saved_bytes, c.dropped, c.failed};
  }
  now.struct_size = size;
  // A caller that knows fewer members gets fewer; one that knows more finds zeros.
  std::memset(counters, 0, size);
  std::memcpy(counters, &now, std::min(size, sizeof(now)));
  return hook == nullptr ? Fail(WD_INVALID, "hook is NULL") : WD_OK;
}

}  // extern "C"
