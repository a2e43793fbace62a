// The input as a collections file. What parses must come back from the file written with it.

#include "warden/config/manifest.h"

#include <string>

#include "fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warden::config::EncodeManifest;
  using warden::config::ParseManifest;
  const auto manifest = ParseManifest(warden::fuzz::Text(data, size));
  if (!manifest.ok()) return 0;
  const std::string text = EncodeManifest(manifest.value());
  const auto again = ParseManifest(text);
  warden::fuzz::Check(again.ok() && EncodeManifest(again.value()) == text);
  return 0;
}
