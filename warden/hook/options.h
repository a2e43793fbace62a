#ifndef WARDEN_HOOK_OPTIONS_H_
#define WARDEN_HOOK_OPTIONS_H_

#include <warden.h>

#include "warden/capture/hook.h"
#include "warden/hook/config_builder.h"

// NOLINTNEXTLINE(readability-identifier-naming): C's name.
struct wd_options {
  warden::hook::ConfigBuilder config;
  warden::capture::HookOptions program;  // All but the configuration.
};

#endif  // WARDEN_HOOK_OPTIONS_H_
