#ifndef WARDEN_CLIENT_SERVICE_FILE_H_
#define WARDEN_CLIENT_SERVICE_FILE_H_

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::client {

// What the address of a service may begin with.
inline constexpr std::array<std::string_view, 2> kServiceSchemes = {"http", "https"};

// Where a service is and how to be let in.
struct Endpoint {
  std::string url;  // "http://127.0.0.1:8080", without a '/' at its end.
  os::Secret token;
  std::string ca_file;  // Of certificates to trust beside the system's; empty: none.
};

// The value of an environment variable, null if it is not set: std::getenv.
using Environment = std::function<const char*(const char*)>;

// What a service leaves for the commands of its user: $XDG_CONFIG_HOME/tensorwarden/service.json,
// else below ~/.config. Empty if there is no home.
std::string ServiceFilePath(const Environment& environment);

struct ServiceNotice {
  std::string url;
  std::string token_file;
  std::string certificate;  // That the service shows; empty without TLS.
  int64_t pid = 0;
};
// Readable by the owner alone, whole or not at all. kIo.
Status WriteServiceFile(const std::string& path, const ServiceNotice& notice);
// If it is still the one of that process.
void RemoveServiceFile(const std::string& path, int64_t pid);
// kNotFound; kCorrupt if it is something else.
Result<ServiceNotice> ReadServiceFile(const std::string& path);

struct EndpointFlags {
  std::string endpoint;
  std::string token_file;
};
// From the flags, else $WARDEN_ENDPOINT, $WARDEN_TOKEN_FILE and $WARDEN_CA_FILE, else the service
// file. kNotFound says how to start a service if nothing names one; kInvalid if it is no URL, or
// the token cannot be had.
Result<Endpoint> FindService(const EndpointFlags& flags, const Environment& environment);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_SERVICE_FILE_H_
