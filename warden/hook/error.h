#ifndef WARDEN_HOOK_ERROR_H_
#define WARDEN_HOOK_ERROR_H_

#include <warden.h>

#include <exception>
#include <new>
#include <string_view>

#include "warden/base/status.h"

namespace warden::hook {

// How errors leave the library: as a number that the call returns and a text that wd_last_error
// gives on the same thread. Nothing is thrown into the program. Functions of the C API have bodies
// of this form:
//
//   return Guarded([&] { return Told(DoIt()); });

// Keeps why a call fails, for wd_last_error on this thread, and gives the number for it. Messages
// are cut at 1023 bytes. Allocates nothing: it works where memory has ended. The text is cut
// between UTF-8 characters, and stays until the next call on this thread fails.
wd_status Fail(wd_status code, std::string_view message);
// The number for a status, with its message kept if it is an error: WD_NOT_FOUND, WD_EXISTS, WD_IO
// for kIo and kUnavailable, WD_INVALID for all others. WD_OK leaves the last error as it is.
wd_status Told(const Status& status);

// Runs the body of a call, of which nothing may be thrown into the program: not even where memory
// ends. failed is what the call returns then; wd_last_error has the reason.
//
//   return Guarded<wd_options*>(nullptr, [] { return new wd_options; });
template <class Result, class Body>
Result Guarded(Result failed, const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    (void)Fail(WD_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    (void)Fail(WD_INTERNAL, error.what());
  } catch (...) {
    (void)Fail(WD_INTERNAL, "unknown exception");
  }
  return failed;
}

// The same for calls that return a status: WD_OUT_OF_MEMORY or WD_INTERNAL then.
template <class Body>
wd_status Guarded(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Fail(WD_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return Fail(WD_INTERNAL, error.what());
  } catch (...) {
    return Fail(WD_INTERNAL, "unknown exception");
  }
}

}  // namespace warden::hook

#endif  // WARDEN_HOOK_ERROR_H_
