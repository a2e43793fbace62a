#ifndef WARDEN_JOBS_LAUNCH_TAR_HEADER_H_
#define WARDEN_JOBS_LAUNCH_TAR_HEADER_H_

// The format of tar archives (POSIX ustar with pax attributes; reads GNU's, too), without files.
// Used by pack.h and extract.h.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::jobs {

// Archives consist of blocks of this size: a header, then the content, padded with zeros.
inline constexpr size_t kTarBlock = 512;
using TarBlock = std::array<char, kTarBlock>;
// How much of a content goes through memory at once.
inline constexpr size_t kTarChunk = 64 << 10;

// One entry, as its header describes it. Nothing in it can be trusted: see extract.h for the
// checks.
struct TarHeader {
  std::string name;   // Of folders with a '/' at the end.
  std::string link;   // Target of a link.
  char type = '0';    // '0' file, '1' hard link, '2' symbolic link, '5' folder, 'x' attributes, ...
  uint32_t mode = 0;  // Permissions: the lowest 9 bits.
  uint64_t size = 0;  // Of the content that follows, in bytes.
  int64_t modified = 0;  // Seconds since 1970.
};

// How many zero bytes follow content of that size.
inline size_t TarPadding(uint64_t size) { return (kTarBlock - size % kTarBlock) % kTarBlock; }

// Whether it has only zeros: the end of an archive.
bool IsEmptyBlock(const TarBlock& block);
// kCorrupt if the checksum or a number is wrong.
Result<TarHeader> ParseTarHeader(const TarBlock& block);
// REQUIRES: name and link of at most kTarName bytes; longer ones go into attributes before it.
TarBlock MakeTarHeader(const TarHeader& header);

// Bytes of a name in a header.
inline constexpr size_t kTarName = 100;

// One attribute: "14 path=a/b/c\n". The number is the length of the whole, in bytes.
std::string TarAttribute(std::string_view name, std::string_view value);
// Applies a block of attributes to the header of the entry that follows: path, linkpath and size;
// others are ignored. kCorrupt if it is malformed.
Status ApplyTarAttributes(std::string_view attributes, TarHeader* header);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_TAR_HEADER_H_
