#ifndef WARDEN_FORMAT_OWN_CHECKSUM_H_
#define WARDEN_FORMAT_OWN_CHECKSUM_H_

#include <string>
#include <string_view>

namespace warden::format {

// Index and collections files are JSON, which most flipped bits leave valid: a digit becomes
// another one, a name another name. So they end with a checksum of what stands before it, as a
// member that other readers ignore: {"meta": ..., "crc32c": "1a2b3c4d"}. capture adds it, trial
// verifies it.

// The JSON object with its checksum as the last member of the object that the last closing braces
// begin to close: "}" for the outermost one, "}}" for the last member of that. REQUIRES: the text
// ends with closing, and that object is not empty.
std::string WithOwnChecksum(std::string json, std::string_view closing);

enum class OwnChecksum { kNone, kRight, kWrong };
// Whether valid JSON ends with the right checksum. kWrong for every text that differs in one bit
// from one with a checksum and is still valid JSON; so also if the checksum's own name is damaged.
OwnChecksum CheckOwnChecksum(std::string_view json);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_OWN_CHECKSUM_H_
