#include "warden/jobs/slurm/slurm_record.h"

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {

std::string RecordFileOf(const std::string& folder) { return folder + "/slurm.json"; }

std::optional<SlurmRecord> ReadRecord(const std::string& job_folder) {
  const auto text = os::ReadWholeFile(RecordFileOf(job_folder));
  if (!text) return std::nullopt;
  const auto json = ParseJson(*text);
  if (!json.ok()) return std::nullopt;
  SlurmRecord record;
  record.name = TextOf(MemberOf(json.value(), "name"));
  record.id = TextOf(MemberOf(json.value(), "id"));
  record.kill_at = IntegerOf(MemberOf(json.value(), "kill_at"));
  record.timed_out = IsTrue(MemberOf(json.value(), "timed_out"));
  if (const Json* lost = MemberOf(json.value(), "lost"); lost != nullptr && lost->is_object()) {
    for (const auto& [host, why] : lost->items()) record.lost[host] = TextOf(&why);
  }
  return record;
}

Status WriteRecord(const std::string& job_folder, const SlurmRecord& record) {
  const Json json = {{"name", record.name},
                     {"id", record.id},
                     {"kill_at", record.kill_at},
                     {"lost", record.lost},
                     {"timed_out", record.timed_out}};
  return os::ReplaceFile(RecordFileOf(job_folder), DumpLikePython(json) + "\n", 0600);
}

}  // namespace warden::jobs
