#include "warden/hook/error.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "warden/base/text/utf8.h"

namespace warden::hook {
namespace {

// Of a fixed size, so that there is room for it where there is none for anything else.
constexpr size_t kMostMessageBytes = 1024;
thread_local std::array<char, kMostMessageBytes> last_error = {};

wd_status CodeOf(Code code) {
  switch (code) {
    case Code::kOk: return WD_OK;
    case Code::kNotFound: return WD_NOT_FOUND;
    case Code::kExists: return WD_EXISTS;
    case Code::kIo:
    case Code::kUnavailable: return WD_IO;
    default: return WD_INVALID;
  }
}

}  // namespace

wd_status Fail(wd_status code, std::string_view message) {
  const std::string_view kept = CutUtf8(message, kMostMessageBytes - 1);
  std::memcpy(last_error.data(), kept.data(), kept.size());
  last_error[kept.size()] = '\0';
  return code;
}

wd_status Told(const Status& status) {
  if (status.ok()) return WD_OK;
  return Fail(CodeOf(status.code()), status.message());
}

}  // namespace warden::hook

extern "C" {

const char* wd_version(void) { return WARDEN_VERSION; }

const char* wd_last_error(void) { return warden::hook::last_error.data(); }

const char* wd_status_name(wd_status status) {
  switch (status) {
    case WD_OK: return "WD_OK";
    case WD_INVALID: return "WD_INVALID";
    case WD_NOT_FOUND: return "WD_NOT_FOUND";
    case WD_EXISTS: return "WD_EXISTS";
    case WD_IO: return "WD_IO";
    case WD_CLOSED: return "WD_CLOSED";
    case WD_OUT_OF_MEMORY: return "WD_OUT_OF_MEMORY";
    case WD_INTERNAL: return "WD_INTERNAL";
    default: return "unknown";
  }
}

}  // extern "C"
