#include "warden/trial/verify_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/format/event_message.h"

namespace warden::trial {
namespace {

// The offset is told apart from the message.
std::string WithoutOffset(std::string message, uint64_t offset) {
  const std::string prefix = fmt::format("record at byte {}: ", offset);
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  return message;
}

// Fills in what the payload says; what is wrong with it otherwise.
Status ReadPayload(Bytes payload, FoundRecord* record) {
  const auto event = format::ParseEvent(payload);
  if (!event.ok()) return event.status();
  record->whole = true;
  record->step = event.value().step;
  if (event.value().values.empty()) return Status();
  const format::EventValue& value = event.value().values[0];
  record->has_value = true;
  record->tag = value.tag;
  return Status();
}

std::string NameOf(const format::IndexEntry& entry) {
  return fmt::format("tensor '{}'", entry.tensor);
}

// The mode of a record is not compared: after a change of modes the original's hook gives its
// scalars that of before.
void CompareRecord(const format::IndexEntry& entry, Step step, const FoundRecord& record,
                   const TellDamage& tell) {
  if (!record.whole) return;
  if (record.tag != entry.tensor) {
    tell(entry.start,
         fmt::format("contains tensor '{}', but the index lists '{}'", record.tag, entry.tensor));
  } else if (record.step != step) {
    tell(entry.start, fmt::format("{} is from step {}, but its file is from step {}", NameOf(entry),
                                  record.step, step));
  }
}

// An entry that names no record which the walk came by: perhaps the walk did not get that far.
void CompareUnseen(const format::IndexEntry& entry, Step step, Bytes file, const TellDamage& tell) {
  if (entry.start > file.size() || entry.length > file.size() - entry.start) {
    return tell(entry.start, fmt::format("{} needs {} bytes here, but the file has only {}",
                                         NameOf(entry), entry.length, file.size()));
  }
  const auto payload = format::ParseRecord(file.subspan(entry.start, entry.length), entry.start);
  FoundRecord record;
  const Status status = payload.ok() ? ReadPayload(payload.value(), &record) : payload.status();
  if (!status.ok()) {
    return tell(entry.start,
                fmt::format("{}: {}", NameOf(entry), WithoutOffset(status.message(), entry.start)));
  }
  CompareRecord(entry, step, record, tell);
}

}  // namespace

std::vector<FoundRecord> WalkRecords(Bytes file, format::Check check, const TellDamage& tell) {
  std::vector<FoundRecord> records;
  format::RecordReader reader(file, check);
  while (!reader.done()) {
    FoundRecord record;
    record.start = reader.offset();
    const auto payload = reader.Next();
    record.length = reader.offset() - record.start;
    const Status status = payload.ok() ? ReadPayload(payload.value(), &record) : payload.status();
    if (!status.ok()) tell(record.start, WithoutOffset(status.message(), record.start));
    // After a bad length there is no telling where it ends.
    if (record.length > 0) records.push_back(record);
  }
  return records;
}

void CompareWithIndex(const format::IndexFile& index, Step step, Bytes file,
                      std::vector<FoundRecord>* records, const TellDamage& tell) {
  for (const format::IndexEntry& entry : index.entries) {
    const auto found = std::lower_bound(
        records->begin(), records->end(), entry.start,
        [](const FoundRecord& record, uint64_t start) { return record.start < start; });
    if (found != records->end() && found->start == entry.start && found->length == entry.length) {
      found->named = true;
      CompareRecord(entry, step, *found, tell);
    } else {
      CompareUnseen(entry, step, file, tell);
    }
  }
}

}  // namespace warden::trial
