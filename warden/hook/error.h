#ifndef WARDEN_HOOK_ERROR_H_
#define WARDEN_HOOK_ERROR_H_

#include <warden.h>

#include <exception>
#include <new>
#include <string_view>

#include "warden/base/status.h"

namespace warden::hook {

// Keeps why a call fails, for wd_last_error on this thread, and gives the number for it.
wd_status Fail(wd_status code, std::string_view message);
// WD_OK if the status is.
wd_status Told(const Status& status);

// Runs the body of a call, of which nothing may be thrown into the program: not even where memory
// ends. failed is what the call returns then.
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

// The same for calls that return a status.
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
