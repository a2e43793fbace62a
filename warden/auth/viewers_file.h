#ifndef WARDEN_AUTH_VIEWERS_FILE_H_
#define WARDEN_AUTH_VIEWERS_FILE_H_

// View-only tokens for colleagues: DATA/viewers.json. `warden keys` writes the file, the service
// reads it. It has digests only: nobody can sign in with what is in it.
//
//   {"viewers": [{"id": "1f0c…", "name": "ana", "digest": "…", "created": 1767268800,
//                 "expires": 1767873600}]}

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::auth {

// Who may look at the dashboard, and nothing else.
struct Viewer {
  std::string id;      // 12 hexadecimal digits; part of the token, and not secret.
  std::string name;    // For people; unique in the file.
  std::string digest;  // SHA-256 of the token, in hexadecimal digits.
  std::chrono::sys_seconds created{};
  std::chrono::sys_seconds expires{};  // From then on the token is not valid.
};

// How every view-only token begins: "view-ID-SECRET".
inline constexpr std::string_view kViewerPrefix = "view-";

// The viewers in the order of the file, expired ones too; none if there is no file. kInvalid:
// others may read it, or it is not a file of viewers. kIo.
Result<std::vector<Viewer>> ReadViewers(const std::string& path);

// What a new viewer signs in with. Kept nowhere else.
struct NewViewer {
  Viewer viewer;
  os::Secret token;
};
// Adds a viewer to the file, which is created if it is missing, and removes those that have
// expired. Several processes may do so at once. kExists: the name is taken. kInvalid: the name is
// empty, longer than 64 bytes or has control characters; or as ReadViewers. kIo.
Result<NewViewer> AddViewer(const std::string& path, const std::string& name,
                            std::chrono::sys_seconds now, std::chrono::seconds lifetime);

// Removes the viewer with this name or ID. kNotFound, naming those that there are. Others as above.
Status RemoveViewer(const std::string& path, const std::string& name);

// The ID in a view-only token; empty if it is not one.
std::string_view ViewerIdOf(std::string_view token);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_VIEWERS_FILE_H_
