#ifndef WARDEN_OS_RANDOM_H_
#define WARDEN_OS_RANDOM_H_

#include <cstddef>
#include <string>

namespace warden::os {

// So many hexadecimal digits that nobody can foresee.
std::string RandomHex(size_t digits);

// A UUID of version 4.
std::string RandomUuid();

}  // namespace warden::os

#endif  // WARDEN_OS_RANDOM_H_
