#ifndef WARDEN_TRIAL_VERIFY_RECORDS_H_
#define WARDEN_TRIAL_VERIFY_RECORDS_H_

// Looks into the event files of a run for `warden trial verify`: is each record whole, and does the
// index say where it is? No I/O here, so tests give it bytes.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/types.h"
#include "warden/format/index_file.h"
#include "warden/format/record.h"

namespace warden::trial {

// The part of VerifyRun that looks into single files, without I/O.

// A record as it was found in a file. Views point into the file's bytes. Valid as long as the bytes
// of the file.
struct FoundRecord {
  uint64_t start = 0;      // Byte in the file.
  uint64_t length = 0;     // Bytes of the whole record.
  bool whole = false;      // It could be parsed; else the damage was reported already.
  bool named = false;      // An index entry names it.
  bool has_value = false;  // An event may be without, e.g. the first of TensorBoard's own files.
  std::string_view tag;    // Of its first value.
  Step step = 0;           // Global.
};

// Called for each damage: the byte in the file and what is wrong there, without the offset.
using TellDamage = std::function<void(uint64_t offset, std::string message)>;

// Walks over a file record by record, as far as its lengths can be trusted: the walk ends at a
// record whose length is damaged, since nobody knows where the next one begins. Damaged records
// whose length is good are in the result, too, with whole not set. Ascending by start. check:
// whether the payload's checksum is computed where the writer has not; see format::Check.
std::vector<FoundRecord> WalkRecords(Bytes file, format::Check check, const TellDamage& tell);

// Compares what an index file says with the records of its event file, and marks those it names.
// step is that of the index file's name; file and *records are of WalkRecords. An entry beyond the
// place where the walk ended is read on its own. Tells entries that lie outside of the file, that
// name another tensor or step than the record has, or whose record cannot be read. A record that
// the walk has reported as damaged is not told twice. The mode is not compared: the original's hook
// writes that of the step before, after a change of modes.
void CompareWithIndex(const format::IndexFile& index, Step step, Bytes file,
                      std::vector<FoundRecord>* records, const TellDamage& tell);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_VERIFY_RECORDS_H_
