#ifndef WARDEN_CAPTURE_TIMELINE_LEFTOVERS_H_
#define WARDEN_CAPTURE_TIMELINE_LEFTOVERS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace warden::capture {

// Timeline files that a process did not finish because it was killed: they keep their temporary
// names, under which the original's readers do not find them.

// Marks the file as being written as long as the descriptor, or a copy of it in a child, is open.
void LockTimeline(int fd);

// Gives the file of a process that has ended the ending and the name that it lacks: its whole
// events are kept. Does nothing for a file without events.
void FinishLeftover(const std::string& temporary, std::string_view node, std::string_view suffix);

// The same for all files below the profiler's folder that no process writes any more. Call it when
// the training has ended. Follows no link below the folder, and changes no file that has a second
// name: the training may have put them there, and the caller may be root. How many have got their
// names.
int FinishTimelines(const std::string& folder);

// Writes all of the text at an offset; errno says why it did not.
bool WriteTextAt(int fd, std::string_view text, uint64_t offset);

// What separates the events of a file, and what ends it in place of the last separator.
inline constexpr std::string_view kTimelineSeparator = ",\n";
inline constexpr std::string_view kTimelineEnding = "\n]\n";

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TIMELINE_LEFTOVERS_H_
