#ifndef WARDEN_BASE_TEXT_FILE_NAME_H_
#define WARDEN_BASE_TEXT_FILE_NAME_H_

#include <string>
#include <string_view>

namespace warden {

// A name as part of a file's name: what is not a letter, a digit, '_', '-' or '.' becomes %XX, so
// that different names stay different and none leads to another folder; a leading '.' becomes %2E.
// Names too long for a file system are cut and end in a checksum of the whole.
std::string SafeFileName(std::string_view name);

}  // namespace warden

#endif  // WARDEN_BASE_TEXT_FILE_NAME_H_
