#ifndef WARDEN_CLIENT_SERVICE_FILE_H_
#define WARDEN_CLIENT_SERVICE_FILE_H_

// How commands such as `warden jobs` find a service and its token. A service leaves a small file
// for the commands of its user; flags and variables override it.
//
//   const auto endpoint = FindService({.endpoint = "", .token_file = ""}, &std::getenv);
//   if (!endpoint.ok()) return endpoint.status();  // Says how to start a service.
//   auto client = MakeApiClient(&endpoint.value());

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::client {

// The schemes that the address of a service may have.
inline constexpr std::array<std::string_view, 2> kServiceSchemes = {"http", "https"};

// Where a service is, and the token for it.
struct Endpoint {
  std::string url;      // "http://127.0.0.1:8080", without a '/' at the end.
  os::Secret token;     // Sent as a bearer token.
  std::string ca_file;  // PEM file of certificates to trust; empty: only the system's.
};

// Returns the value of an environment variable, null if it is not set: std::getenv, or a test's
// own.
using Environment = std::function<const char*(const char*)>;

// $XDG_CONFIG_HOME/tensorwarden/service.json, or in ~/.config. Empty if there is no home.
std::string ServiceFilePath(const Environment& environment);

// What a service writes about itself. Contains no secret, only the path of the token.
//   {"endpoint": "http://127.0.0.1:8080", "token_file": "/srv/warden/token",
//    "certificate": "", "pid": 1234}
struct ServiceNotice {
  std::string url;  // As Server::address().
  std::string token_file;
  std::string certificate;  // File of the service's certificate; empty without TLS.
  int64_t pid = 0;          // Of the service.
};
// Replaces the file in one step, readable by the owner alone; folders are created. kIo.
Status WriteServiceFile(const std::string& path, const ServiceNotice& notice);
// Removes the file if it is still the one of that process. Errors are ignored.
void RemoveServiceFile(const std::string& path, int64_t pid);
// kNotFound; other codes if it is not JSON (ParseJson); kCorrupt if it has no endpoint.
Result<ServiceNotice> ReadServiceFile(const std::string& path);

// What the command line says; empty: not given.
struct EndpointFlags {
  std::string endpoint;  // --endpoint: a URL.
  std::string token_file;
};
// From the flags, else $WARDEN_ENDPOINT, $WARDEN_TOKEN_FILE and $WARDEN_CA_FILE, else the service
// file. What the file says about one service is never used for another address. Does not connect.
// kNotFound, saying how to start a service, if nothing names one; kInvalid if the URL is malformed,
// there is no token file, or others may read it; kNotFound, kIo if it cannot be read.
Result<Endpoint> FindService(const EndpointFlags& flags, const Environment& environment);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_SERVICE_FILE_H_
