#include "warden/capture/host.h"

#include <unistd.h>

#include <array>

namespace warden::capture {

std::string HostName() {
  std::array<char, 256> name{};
  // The last byte stays zero, should the name be cut.
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

}  // namespace warden::capture
