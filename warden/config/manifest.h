#ifndef WARDEN_CONFIG_MANIFEST_H_
#define WARDEN_CONFIG_MANIFEST_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/collection.h"

namespace warden::config {

// Collections files: what a hook was configured to save, written by each worker before its first
// step becomes visible and again when it changes. capture writes them, trial reads them.

// What part a tensor plays in its model ("relu_output", "labels"), whatever it is called: for each
// role the beginnings of the names that play it.
using Roles = std::map<std::string, std::vector<std::string>, std::less<>>;

// A worker's collections file: all collections of the run, and how many workers write one.
struct Manifest {
  Collections collections;
  int num_workers = 1;  // At least 0. Readers count a step as complete when so many wrote it.
  Roles roles = {};
};

// The bytes of the original for the same content; roles, which it does not know, come last.
std::string EncodeManifest(const Manifest& manifest);

// kCorrupt: not JSON, no "collections", another top-level key than "collections" and "_meta", a
// field of the wrong type or range. The message names the field. Without "_meta" there is one
// worker. A collection is known by the name inside of it, and by its key only if it has none.
Result<Manifest> ParseManifest(std::string_view text);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_MANIFEST_H_
