#ifndef WARDEN_OS_REPLACE_FILE_H_
#define WARDEN_OS_REPLACE_FILE_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::os {

// Writes a file whole: whoever opens it finds what was there before or all of the text, also after
// a crash of the machine. kIo.
Status ReplaceFile(const std::string& path, std::string_view text, mode_t mode);

}  // namespace warden::os

#endif  // WARDEN_OS_REPLACE_FILE_H_
