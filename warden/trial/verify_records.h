#ifndef WARDEN_TRIAL_VERIFY_RECORDS_H_
#define WARDEN_TRIAL_VERIFY_RECORDS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/types.h"
#include "warden/format/index_file.h"
#include "warden/format/record.h"

namespace warden::trial {

// A record as it was found in a file. Views point into the file's bytes.
struct FoundRecord {
  uint64_t start = 0;
  uint64_t length = 0;
  bool whole = false;  // It could be parsed; else the damage was told already.
  bool named = false;  // An index entry names it.
  bool has_value = false;
  std::string_view tag;  // Of its value.
  Step step = 0;
};

// Where damage is told: the byte in the file and what is wrong there.
using TellDamage = std::function<void(uint64_t offset, std::string message)>;

// Walks over a file record by record, as far as its lengths can be trusted.
std::vector<FoundRecord> WalkRecords(Bytes file, format::Check check, const TellDamage& tell);

// Compares what an index file says with the records of its event file, and marks those it names.
void CompareWithIndex(const format::IndexFile& index, Step step, Bytes file,
                      std::vector<FoundRecord>* records, const TellDamage& tell);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_VERIFY_RECORDS_H_
