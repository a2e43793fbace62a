#ifndef WARDEN_OS_RANDOM_H_
#define WARDEN_OS_RANDOM_H_

// Identifiers that nobody can guess: IDs of events and uploads, ends of names, the token of a
// viewer. From the kernel's random source, so they differ between processes and forks. For any
// thread. Throws only if the kernel has no random source, which no supported system lacks. For a
// text that depends on a seed alone, see UuidOf in net/digest.h.

#include <cstddef>
#include <string>

namespace warden::os {

// `digits` lower-case hexadecimal digits, four random bits each: 32 are enough for a secret.
std::string RandomHex(size_t digits);

// A UUID of version 4 (RFC 9562), in lower case: "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b".
std::string RandomUuid();

}  // namespace warden::os

#endif  // WARDEN_OS_RANDOM_H_
