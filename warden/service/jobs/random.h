#ifndef WARDEN_SERVICE_JOBS_RANDOM_H_
#define WARDEN_SERVICE_JOBS_RANDOM_H_

#include <cstddef>
#include <string>

namespace warden::service {

// So many hexadecimal digits that nobody can foresee.
std::string RandomHex(size_t digits);

// A UUID of version 4.
std::string RandomUuid();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_JOBS_RANDOM_H_
