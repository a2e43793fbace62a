#ifndef WARDEN_CONFIG_MANIFEST_H_
#define WARDEN_CONFIG_MANIFEST_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/collection.h"

namespace warden::config {

// What part a tensor plays in its model ("relu_output", "labels"), whatever it is called: for each
// role the beginnings of the names that play it.
using Roles = std::map<std::string, std::vector<std::string>, std::less<>>;

// A worker's collections file: all collections of the run, and how many workers write one.
struct Manifest {
  Collections collections;
  int num_workers = 1;
  Roles roles = {};
};

// The bytes of the original for the same content; roles, which it does not know, come last.
std::string EncodeManifest(const Manifest& manifest);

// kCorrupt: not JSON, another top-level key than "collections" and "_meta", a field of the wrong
// type. The message names the field.
Result<Manifest> ParseManifest(std::string_view text);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_MANIFEST_H_
