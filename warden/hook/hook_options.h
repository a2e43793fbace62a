#ifndef WARDEN_HOOK_HOOK_OPTIONS_H_
#define WARDEN_HOOK_HOOK_OPTIONS_H_

#include <warden.h>

#include "warden/capture/capture_hook.h"
#include "warden/hook/config_builder.h"

// The object behind the handle of options: made by wd_options_new, changed by wd_options_*, copied
// into the hook by wd_hook_create, freed by wd_options_free. For one thread at a time.
//
// NOLINTNEXTLINE(readability-identifier-naming): C's name.
struct wd_options {
  warden::hook::ConfigBuilder config;    // What is saved, and when.
  warden::capture::HookOptions program;  // All but the configuration: rank, framework, memory.
};

#endif  // WARDEN_HOOK_HOOK_OPTIONS_H_
