#ifndef WARDEN_FORMAT_INDEX_FILE_H_
#define WARDEN_FORMAT_INDEX_FILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::format {

// Index files say which tensor lies where in an event file, so that readers open a run without
// reading its values. A worker writes one for each step, after the event file it refers to: a step
// is visible when its index file is. capture encodes them; trial and the dashboard parse them.

// Where one tensor (or saved reduction) lies in the event file: the whole record.
struct IndexEntry {
  std::string_view tensor;  // The tag of the record.
  uint64_t start = 0;       // Byte in the event file.
  uint64_t length = 0;      // Bytes, header and check word included.
};

// A saved shape. Our hooks write one only where the values, which have a shape, are not saved.
struct IndexShape {
  std::string_view tensor;
  std::string_view original_name;  // The framework's name; the same as tensor if the file has none.
  std::vector<int64_t> shape;      // Sizes of at least 0; empty for a scalar.
};

// What one worker saved in one step. Names are views: into the parser's memory until its next
// Parse, or into whatever the writer filled in. Entries are in the order of the file, which is that
// in which the hook saved.
struct IndexFile {
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  std::string_view event_file;  // Relative to the run's folder; empty if only shapes were saved.
  // CRC-32C of the whole event file. The original writes none, and its readers ignore it.
  std::optional<uint32_t> event_file_crc32c = {};
  std::vector<IndexEntry> entries;
  std::vector<IndexShape> shapes;
};

// The bytes that the original's writer gives for the same content, if there is no checksum. Names
// may be any bytes; what is not UTF-8 in them becomes U+FFFD.
std::string EncodeIndexFile(const IndexFile& index);

// Parses index files, one after another, reusing its buffers. For one thread.
//
//   IndexParser parser;
//   const auto index = parser.Parse(AsText(blob.bytes));
//   if (!index.ok()) return index.status().WithContext(key);
//   for (const IndexEntry& entry : index.value()->entries) ...
class IndexParser {
 public:
  IndexParser();
  ~IndexParser();

  // kBadIndex says what is wrong: not JSON, no meta, an unknown mode, a range that is negative or
  // overflows, an event file outside of the run's folder. Whether the ranges fit the event file is
  // for the caller to check. Unknown keys are ignored; of a key that stands twice the later counts.
  // The result belongs to the parser and is valid until the next call; text may go at once.
  Result<const IndexFile*> Parse(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warden::format

#endif  // WARDEN_FORMAT_INDEX_FILE_H_
