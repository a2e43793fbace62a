#ifndef WARDEN_FORMAT_INDEX_FILE_H_
#define WARDEN_FORMAT_INDEX_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::format {

// Where one tensor (or saved reduction) lies in the event file: the whole record.
struct IndexEntry {
  std::string_view tensor;
  uint64_t start = 0;
  uint64_t length = 0;
};

struct IndexShape {
  std::string_view tensor;
  std::string_view original_name;
  std::vector<int64_t> shape;
};

// What one worker saved in one step. Names are views: into the parser's memory until its next
// Parse, or into whatever the writer filled in.
struct IndexFile {
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  std::string_view event_file;  // Relative to the run's folder; empty if only shapes were saved.
  std::vector<IndexEntry> entries;
  std::vector<IndexShape> shapes;
};

// The bytes that the original's writer gives for the same content.
std::string EncodeIndexFile(const IndexFile& index);

// Parses index files, one after another, reusing its buffers. For one thread.
class IndexParser {
 public:
  IndexParser();
  ~IndexParser();

  // kBadIndex says what is wrong: not JSON, no meta, an unknown mode, a range that is negative or
  // overflows. The result is valid until the next call.
  Result<const IndexFile*> Parse(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warden::format

#endif  // WARDEN_FORMAT_INDEX_FILE_H_
