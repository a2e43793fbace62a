#ifndef WARDEN_S3_TIMES_H_
#define WARDEN_S3_TIMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/time.h"

namespace warden::s3 {

// "Sun, 06 Nov 1994 08:49:37 GMT", in whole seconds.
std::string HttpDate(Time time);
std::optional<Time> ParseHttpDate(std::string_view text);
// "2009-10-12T17:50:30.000Z".
std::string IsoTime(Time time);

}  // namespace warden::s3

#endif  // WARDEN_S3_TIMES_H_
