// The input as an index file. What parses must come back from the file written with it.

#include <string>

#include "fuzz/check.h"
#include "warden/format/index_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using warden::format::EncodeIndexFile;
  using warden::format::IndexParser;
  static IndexParser* const parser = new IndexParser();  // Kept, as a reader of many files does.
  const auto index = parser->Parse(warden::fuzz::Text(data, size));
  if (!index.ok()) return 0;
  const std::string text = EncodeIndexFile(*index.value());
  const auto again = parser->Parse(text);
  warden::fuzz::Check(again.ok() && EncodeIndexFile(*again.value()) == text);
  return 0;
}
