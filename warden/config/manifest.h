#ifndef WARDEN_CONFIG_MANIFEST_H_
#define WARDEN_CONFIG_MANIFEST_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/config/collection.h"

namespace warden::config {

// A worker's collections file: all collections of the run, and how many workers write one.
struct Manifest {
  Collections collections;
  int num_workers = 1;
};

// The bytes of the original for the same content.
std::string EncodeManifest(const Manifest& manifest);

// kCorrupt: not JSON, another top-level key than "collections" and "_meta", a field of the wrong
// type. The message names the field.
Result<Manifest> ParseManifest(std::string_view text);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_MANIFEST_H_
