// The input as a trace, whole and cut into two pieces at a place that depends on it: the same spans
// must come out of both. Arguments that are handed out must be JSON by themselves.

#include <string>
#include <vector>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/import/trace_reader.h"

namespace {

using warden::timeline::Names;
using warden::timeline::PaddedText;
using warden::timeline::TraceReader;
using warden::timeline::TraceSpan;

std::vector<std::string> Read(std::string_view text, size_t cut) {
  Names names;
  TraceReader reader({"algo-1-1", warden::timeline::Source::kOther, 0, true}, &names);
  std::vector<std::string> told;
  const auto take = [&](const TraceSpan& found) {
    if (!found.args.empty() && !found.args_non_finite) {
      // Deep nesting and many keys are refused by that parser, though not by ours.
      const auto args = warden::ParseJson(found.args);
      warden::fuzz::Check(args.ok() || found.args.size() > 1000);
    }
    warden::fuzz::Check(found.span.end_us() >= found.span.start_us);
    told.push_back(names.Text(found.span.name) + "|" + names.Text(found.span.phase) + "|" +
                   std::to_string(found.span.start_us) + "|" +
                   std::to_string(found.span.duration_us) + "|" + std::string(found.args));
  };
  PaddedText held;
  held.Append(text.substr(0, cut));
  held.Drop(reader.Read(held.text(), cut == text.size(), take));
  if (cut == text.size()) return told;
  held.Append(text.substr(cut));
  reader.Read(held.text(), true, take);
  return told;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  const std::vector<std::string> whole = Read(text, size);
  const size_t cut = size == 0 ? 0 : (size * 7919 + data[0]) % size;
  const std::vector<std::string> pieces = Read(text, cut);
  // Where there is something broken, the cut decides what is taken for its end.
  if (pieces.size() == whole.size()) warden::fuzz::Check(pieces == whole);
  return 0;
}
