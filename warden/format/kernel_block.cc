#include "warden/format/kernel_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "warden/format/crc32c.h"
#include "warden/format/record.h"
#include "warden/format/wire.h"

namespace warden::format {
namespace {

// The payload of a block: the version; the names, launches and lanes that are new, each list with
// how many there were before; the windows; the marks of steps; and for each kind of work that
// occurs its number, how many events of it there are and their columns, in the order of Column.
constexpr uint64_t kVersion = 1;

// How the values of a column are written.
enum class Encoding : uint8_t {
  kEach = 0,  // A varint for each.
  kRuns = 1,  // Value and length - 1 of each run of equal values.
};

// Members of events, each as a number that is small, or often the same.
enum class Column : uint8_t {
  kLane,
  kStart,  // Zigzag, from the end of the event before.
  kDuration,
  kName,
  kCorrelation,  // Zigzag, from that of the event before; so the next two.
  kGraph,
  kGraphNode,
  kCopy,
  kBytes,
};
constexpr int kColumns = static_cast<int>(Column::kBytes) + 1;

// Times beyond them are errors, and sums of two do not overflow.
constexpr int64_t kLatestNs = std::numeric_limits<int64_t>::max() / 4;

constexpr uint64_t ZigZag(uint64_t difference) {
  return (difference << 1) ^ (difference >> 63 != 0 ? ~uint64_t{0} : 0);
}
constexpr uint64_t UnZigZag(uint64_t value) {
  return (value >> 1) ^ ((value & 1) != 0 ? ~uint64_t{0} : 0);
}

uint64_t Unsigned(int64_t value) { return static_cast<uint64_t>(value); }

// The value of a column; before is the event before, or a default one.
uint64_t ValueOf(Column column, const GpuEvent& event, const GpuEvent& before) {
  switch (column) {
    case Column::kLane: return event.lane;
    case Column::kStart: return ZigZag(Unsigned(event.start_ns) - Unsigned(before.end_ns()));
    case Column::kDuration: return Unsigned(event.duration_ns);
    case Column::kName: return event.name;
    case Column::kCorrelation: return ZigZag(uint64_t{event.correlation} - before.correlation);
    case Column::kGraph: return ZigZag(uint64_t{event.graph} - before.graph);
    case Column::kGraphNode: return ZigZag(event.graph_node - before.graph_node);
    case Column::kCopy: return event.copy;
    case Column::kBytes: return event.bytes;
  }
  return 0;
}

void AppendColumn(std::span<const uint64_t> values, std::string* out) {
  std::string runs;
  for (size_t i = 0; i < values.size();) {
    size_t end = i + 1;
    while (end < values.size() && values[end] == values[i]) ++end;
    AppendVarint(values[i], &runs);
    AppendVarint(end - i - 1, &runs);
    i = end;
  }
  size_t each = 0;
  for (const uint64_t value : values) each += VarintSize(value);
  out->push_back(static_cast<char>(runs.size() < each ? Encoding::kRuns : Encoding::kEach));
  AppendVarint(std::min(runs.size(), each), out);
  if (runs.size() < each) {
    out->append(runs);
  } else {
    for (const uint64_t value : values) AppendVarint(value, out);
  }
}

// Events of one kind, sorted by start.
void AppendEvents(std::span<const GpuEvent> events, std::string* out) {
  AppendVarint(static_cast<uint64_t>(events.front().work), out);
  AppendVarint(events.size(), out);
  std::vector<uint64_t> values(events.size());
  for (int column = 0; column < kColumns; ++column) {
    GpuEvent before;
    for (size_t i = 0; i < events.size(); ++i) {
      values[i] = ValueOf(static_cast<Column>(column), events[i], before);
      before = events[i];
    }
    AppendColumn(values, out);
  }
}

Status BadBlock(std::string_view what) {
  return Status(Code::kCorrupt, fmt::format("block of GPU activity: {}", what));
}

// Takes numbers from the front of a block. After a failure every number is 0 and ok() is false, so
// that callers need to ask only before they rely on one.
class BlockCursor {
 public:
  explicit BlockCursor(Bytes rest) : rest_(rest) {}

  bool ok() const { return ok_; }
  bool done() const { return rest_.empty(); }
  size_t size() const { return rest_.size(); }

  uint64_t Take() {
    // Nearly all are of one or two bytes.
    if (!rest_.empty() && (static_cast<uint8_t>(rest_[0]) & 0x80) == 0) {
      const auto value = static_cast<uint64_t>(rest_[0]);
      rest_ = rest_.subspan(1);
      return value;
    }
    uint64_t value = 0;
    if (TakeVarint(&rest_, &value)) return value;
    return Fail();
  }
  // A number of the other type; fails where it does not fit.
  uint32_t Take32() {
    const uint64_t value = Take();
    return value <= UINT32_MAX ? static_cast<uint32_t>(value) : static_cast<uint32_t>(Fail());
  }
  // How many items follow, each of so many bytes at least.
  size_t TakeCount(size_t least_bytes) {
    const uint64_t count = Take();
    return count <= rest_.size() / least_bytes ? count : Fail();
  }
  Bytes TakeBytes(uint64_t size) {
    if (size > rest_.size()) {
      Fail();
      return {};
    }
    const Bytes bytes = rest_.first(size);
    rest_ = rest_.subspan(size);
    return bytes;
  }

 private:
  uint64_t Fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  Bytes rest_;
  bool ok_ = true;
};

// The values of one column of as many events as *values has.
bool TakeColumn(BlockCursor* block, std::vector<uint64_t>* values) {
  const auto encoding = static_cast<Encoding>(std::min(block->Take(), uint64_t{UINT8_MAX}));
  BlockCursor column(block->TakeBytes(block->Take()));
  if (!block->ok()) return false;
  if (encoding == Encoding::kEach) {
    for (uint64_t& value : *values) value = column.Take();
  } else if (encoding == Encoding::kRuns) {
    for (size_t i = 0; i < values->size();) {
      const uint64_t value = column.Take();
      const uint64_t more = column.Take();
      if (!column.ok() || more >= values->size() - i) return false;
      std::fill_n(values->begin() + static_cast<ptrdiff_t>(i), more + 1, value);
      i += more + 1;
    }
  } else {
    return false;
  }
  return column.ok() && column.done();
}

// Puts the values into the events; nothing where one is out of range.
bool PutColumn(Column column, const std::vector<uint64_t>& values, std::span<GpuEvent> events,
               const KernelDictionary& dictionary) {
  const auto put = [&](auto member, uint64_t limit) {
    for (size_t i = 0; i < events.size(); ++i) {
      if (values[i] >= limit) return false;
      events[i].*member = static_cast<std::decay_t<decltype(events[i].*member)>>(values[i]);
    }
    return true;
  };
  const auto put_differences = [&](auto member) {
    using Member = std::decay_t<decltype(events[0].*member)>;
    Member before = 0;
    for (size_t i = 0; i < events.size(); ++i) {
      before = static_cast<Member>(before + UnZigZag(values[i]));
      events[i].*member = before;
    }
    return true;
  };
  switch (column) {
    case Column::kLane: return put(&GpuEvent::lane, dictionary.lanes.size());
    case Column::kDuration: return put(&GpuEvent::duration_ns, Unsigned(kLatestNs));
    case Column::kName:
      return put(&GpuEvent::name, events.front().work == GpuWork::kKernel
                                      ? dictionary.launches.size()
                                      : dictionary.names.size());
    case Column::kCorrelation: return put_differences(&GpuEvent::correlation);
    case Column::kGraph: return put_differences(&GpuEvent::graph);
    case Column::kGraphNode: return put_differences(&GpuEvent::graph_node);
    case Column::kCopy: return put(&GpuEvent::copy, uint64_t{UINT8_MAX} + 1);
    case Column::kBytes: return put(&GpuEvent::bytes, UINT64_MAX);
    case Column::kStart: return false;  // PutStarts.
  }
  return false;
}

// After the durations are there.
bool PutStarts(const std::vector<uint64_t>& values, std::span<GpuEvent> events) {
  uint64_t end = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    const auto start = static_cast<int64_t>(end + UnZigZag(values[i]));
    if (start < -kLatestNs || start > kLatestNs) return false;
    events[i].start_ns = start;
    end = Unsigned(events[i].end_ns());
  }
  return true;
}

Status TakeEvents(BlockCursor* block, const KernelDictionary& dictionary, KernelBlock* into) {
  const uint64_t work = block->Take();
  const uint64_t count = block->Take();
  if (!block->ok() || work >= kGpuWorks) return BadBlock("unknown kind of work");
  const size_t before = into->events.size();
  if (count == 0 || count > kMostBlockEvents - before) return BadBlock("invalid number of events");
  GpuEvent first;
  first.work = static_cast<GpuWork>(work);
  into->events.resize(before + count, first);
  const std::span<GpuEvent> events = std::span(into->events).subspan(before);
  std::vector<uint64_t> values(count);
  std::vector<uint64_t> starts;
  for (int column = 0; column < kColumns; ++column) {
    if (!TakeColumn(block, &values)) return BadBlock(fmt::format("invalid column {}", column));
    if (static_cast<Column>(column) == Column::kStart) {
      starts = values;
    } else if (!PutColumn(static_cast<Column>(column), values, events, dictionary)) {
      return BadBlock(fmt::format("column {} has a value out of range", column));
    }
  }
  return PutStarts(starts, events) ? Status() : BadBlock("a time is out of range");
}

// These take the lists of names that stand before the events. known: what earlier blocks had, or,
// if the block was read before and *add is null, what this one has, too.

// How many items of a list follow.
Result<size_t> TakeListHead(BlockCursor* block, size_t known, bool again, size_t least_bytes) {
  const uint64_t before = block->Take();
  const size_t count = block->TakeCount(least_bytes);
  if (!block->ok()) return BadBlock("list cut off");
  const bool fits = again ? before <= known && count <= known - before : before == known;
  if (!fits) return BadBlock("an earlier block is missing");
  if (before + count > kMostKernelNames) return BadBlock("too many names");
  return count;
}

Status TakeNames(BlockCursor* block, const KernelDictionary& known, KernelDictionary* add) {
  const auto count = TakeListHead(block, known.names.size(), add == nullptr, 1);
  if (!count.ok()) return count.status();
  for (size_t i = 0; i < count.value(); ++i) {
    const Bytes text = block->TakeBytes(block->Take());
    if (add == nullptr) continue;
    add->name_bytes += text.size();
    if (text.size() > kLongestKernelName || add->name_bytes > kMostKernelNameBytes) {
      return BadBlock("names are too long");
    }
    add->names.emplace_back(AsText(text));
  }
  return Status();
}

Status TakeLaunches(BlockCursor* block, const KernelDictionary& known, KernelDictionary* add) {
  const auto count = TakeListHead(block, known.launches.size(), add == nullptr, 10);
  if (!count.ok()) return count.status();
  for (size_t i = 0; i < count.value(); ++i) {
    KernelLaunch launch;
    launch.name = block->Take32();
    for (uint32_t& size : launch.grid) size = block->Take32();
    for (uint32_t& size : launch.block) size = block->Take32();
    launch.registers = block->Take32();
    launch.static_shared = block->Take32();
    launch.dynamic_shared = block->Take32();
    if (add == nullptr) continue;
    if (launch.name >= add->names.size()) return BadBlock("a launch has no name");
    add->launches.push_back(launch);
  }
  return Status();
}

Status TakeLanes(BlockCursor* block, const KernelDictionary& known, KernelDictionary* add) {
  const auto count = TakeListHead(block, known.lanes.size(), add == nullptr, 4);
  if (!count.ok()) return count.status();
  for (size_t i = 0; i < count.value(); ++i) {
    GpuLane lane;
    lane.device = block->Take32();
    lane.context = block->Take32();
    lane.stream = block->Take32();
    lane.thread = block->Take32();
    if (add != nullptr) add->lanes.push_back(lane);
  }
  return Status();
}

Status TakeDictionary(BlockCursor* block, const KernelDictionary& known, KernelDictionary* add) {
  if (const uint64_t version = block->Take(); !block->ok() || version != kVersion) {
    return BadBlock(fmt::format("version {}; expected {}", version, kVersion));
  }
  for (const auto take : {&TakeNames, &TakeLaunches, &TakeLanes}) {
    if (Status status = take(block, known, add); !status.ok()) return status;
  }
  return block->ok() ? Status() : BadBlock("dictionary cut off");
}

bool IsTime(int64_t ns) { return ns >= -kLatestNs && ns <= kLatestNs; }

template <class Into>
Status TakeMarks(BlockCursor* block, Into* into) {
  const size_t windows = block->TakeCount(3);
  for (size_t i = 0; i < windows && block->ok(); ++i) {
    KernelWindow window;
    window.start_ns = static_cast<int64_t>(block->Take());
    window.end_ns = static_cast<int64_t>(block->Take());
    window.dropped = block->Take();
    if (!IsTime(window.start_ns) || !IsTime(window.end_ns))
      return BadBlock("a time is out of range");
    into->windows.push_back(window);
  }
  const size_t steps = block->TakeCount(2);
  for (size_t i = 0; i < steps && block->ok(); ++i) {
    StepMark step;
    step.step = static_cast<int64_t>(block->Take());
    step.start_ns = static_cast<int64_t>(block->Take());
    if (!IsTime(step.start_ns)) return BadBlock("a time is out of range");
    into->steps.push_back(step);
  }
  return block->ok() ? Status() : BadBlock("list cut off");
}

Status TakeContent(BlockCursor* block, const KernelDictionary& dictionary, KernelBlock* into) {
  into->events.clear();
  into->windows.clear();
  into->steps.clear();
  if (Status status = TakeMarks(block, into); !status.ok()) return status;
  while (!block->done()) {
    if (Status status = TakeEvents(block, dictionary, into); !status.ok()) return status;
  }
  return Status();
}

// Events are sorted, so that the first tells the earliest start.
Status SkipEvents(BlockCursor* block, KernelBlockHead* head) {
  (void)block->Take();
  const uint64_t count = block->Take();
  if (count == 0 || count > kMostBlockEvents - head->events)
    return BadBlock("invalid number of events");
  for (int column = 0; column < kColumns; ++column) {
    (void)block->Take();
    BlockCursor values(block->TakeBytes(block->Take()));
    if (!block->ok()) return BadBlock("column cut off");
    if (static_cast<Column>(column) != Column::kStart) continue;
    const auto first = static_cast<int64_t>(UnZigZag(values.Take()));
    if (!IsTime(first)) return BadBlock("a time is out of range");
    head->first_ns = head->events == 0 ? first : std::min(head->first_ns, first);
  }
  head->events += count;
  return Status();
}

void Mix(uint64_t value, uint64_t* hash) {
  *hash = (*hash ^ value) * 0x9E3779B97F4A7C15ULL;
  *hash ^= *hash >> 32;
}

}  // namespace

size_t KernelBlockWriter::HashLaunch::operator()(const KernelLaunch& launch) const {
  uint64_t hash = launch.name;
  for (const uint32_t size : launch.grid) Mix(size, &hash);
  for (const uint32_t size : launch.block) Mix(size, &hash);
  Mix(launch.registers, &hash);
  Mix(launch.static_shared, &hash);
  Mix(launch.dynamic_shared, &hash);
  return hash;
}

size_t KernelBlockWriter::HashLane::operator()(const GpuLane& lane) const {
  uint64_t hash = lane.device;
  Mix(lane.context, &hash);
  Mix(lane.stream, &hash);
  Mix(lane.thread, &hash);
  return hash;
}

uint32_t KernelBlockWriter::NameId(std::string_view name) {
  name = name.substr(0, kLongestKernelName);
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  const auto id = static_cast<uint32_t>(names_.size());
  names_.emplace(name, id);
  added_.names.emplace_back(name);
  added_.name_bytes += name.size();
  name_bytes_ += name.size();
  return id;
}

uint32_t KernelBlockWriter::LaunchId(const KernelLaunch& launch) {
  const auto [known, is_new] = launches_.emplace(launch, static_cast<uint32_t>(launches_.size()));
  if (is_new) added_.launches.push_back(launch);
  return known->second;
}

uint32_t KernelBlockWriter::LaneId(const GpuLane& lane) {
  const auto [known, is_new] = lanes_.emplace(lane, static_cast<uint32_t>(lanes_.size()));
  if (is_new) added_.lanes.push_back(lane);
  return known->second;
}

void KernelBlockWriter::Add(const GpuEvent& event) {
  block_.events.push_back(event);
  GpuEvent& added = block_.events.back();
  added.start_ns = std::clamp(added.start_ns, -kLatestNs, kLatestNs);
  added.duration_ns = std::clamp(added.duration_ns, int64_t{0}, kLatestNs - 1);
}

void KernelBlockWriter::AppendDictionary(std::string* out) {
  AppendVarint(names_.size() - added_.names.size(), out);
  AppendVarint(added_.names.size(), out);
  for (const std::string& name : added_.names) {
    AppendVarint(name.size(), out);
    out->append(name);
  }
  AppendVarint(launches_.size() - added_.launches.size(), out);
  AppendVarint(added_.launches.size(), out);
  for (const KernelLaunch& launch : added_.launches) {
    AppendVarint(launch.name, out);
    for (const uint32_t size : launch.grid) AppendVarint(size, out);
    for (const uint32_t size : launch.block) AppendVarint(size, out);
    AppendVarint(launch.registers, out);
    AppendVarint(launch.static_shared, out);
    AppendVarint(launch.dynamic_shared, out);
  }
  AppendVarint(lanes_.size() - added_.lanes.size(), out);
  AppendVarint(added_.lanes.size(), out);
  for (const GpuLane& lane : added_.lanes) {
    for (const uint32_t number : {lane.device, lane.context, lane.stream, lane.thread}) {
      AppendVarint(number, out);
    }
  }
  added_ = {};
}

void KernelBlockWriter::Finish(std::string* out) {
  if (block_.events.empty() && block_.windows.empty() && block_.steps.empty()) return;
  std::string payload;
  AppendVarint(kVersion, &payload);
  AppendDictionary(&payload);
  AppendVarint(block_.windows.size(), &payload);
  for (const KernelWindow& window : block_.windows) {
    AppendVarint(Unsigned(window.start_ns), &payload);
    AppendVarint(Unsigned(window.end_ns), &payload);
    AppendVarint(window.dropped, &payload);
  }
  AppendVarint(block_.steps.size(), &payload);
  for (const StepMark& step : block_.steps) {
    AppendVarint(Unsigned(step.step), &payload);
    AppendVarint(Unsigned(step.start_ns), &payload);
  }
  std::vector<GpuEvent>& events = block_.events;
  std::sort(events.begin(), events.end(), [](const GpuEvent& a, const GpuEvent& b) {
    return std::tie(a.work, a.start_ns, a.lane, a.correlation) <
           std::tie(b.work, b.start_ns, b.lane, b.correlation);
  });
  for (size_t i = 0; i < events.size();) {
    size_t end = i + 1;
    while (end < events.size() && events[end].work == events[i].work) ++end;
    AppendEvents(std::span(events).subspan(i, end - i), &payload);
    i = end;
  }
  const auto header = RecordHeader(payload.size());
  const auto footer = RecordFooter(MaskCrc(Crc32c(AsBytes(payload))));
  out->append(AsText(header)).append(payload).append(AsText(footer));
  block_.events.clear();
  block_.windows.clear();
  block_.steps.clear();
}

bool KernelBlockWriter::due() const {
  constexpr size_t kEvents = kMostBlockEvents / 2;
  constexpr size_t kMarks = 4096;
  return block_.events.size() >= kEvents || added_.name_bytes >= kMostBlockBytes / 4 ||
         block_.steps.size() + block_.windows.size() >= kMarks;
}

bool KernelBlockWriter::full() const {
  // What the events of one more block can add has room.
  constexpr size_t kMost = kMostKernelNames - kMostBlockEvents;
  return names_.size() > kMost || launches_.size() > kMost || lanes_.size() > kMost ||
         name_bytes_ > kMostKernelNameBytes / 4;
}

void KernelBlockWriter::Restart() {
  names_.clear();
  launches_.clear();
  lanes_.clear();
  added_ = {};
  name_bytes_ = 0;
}

Status ParseKernelBlock(Bytes payload, KernelDictionary* dictionary, KernelBlock* block) {
  if (payload.size() > kMostBlockBytes) return BadBlock("too large");
  BlockCursor cursor(payload);
  if (Status status = TakeDictionary(&cursor, *dictionary, dictionary); !status.ok()) return status;
  return TakeContent(&cursor, *dictionary, block);
}

Status ParseKnownKernelBlock(Bytes payload, const KernelDictionary& dictionary,
                             KernelBlock* block) {
  if (payload.size() > kMostBlockBytes) return BadBlock("too large");
  BlockCursor cursor(payload);
  if (Status status = TakeDictionary(&cursor, dictionary, nullptr); !status.ok()) return status;
  return TakeContent(&cursor, dictionary, block);
}

Status ScanKernelBlock(Bytes payload, KernelDictionary* dictionary, KernelBlockHead* head) {
  *head = {};
  if (payload.size() > kMostBlockBytes) return BadBlock("too large");
  BlockCursor cursor(payload);
  if (Status status = TakeDictionary(&cursor, *dictionary, dictionary); !status.ok()) return status;
  if (Status status = TakeMarks(&cursor, head); !status.ok()) return status;
  while (!cursor.done()) {
    if (Status status = SkipEvents(&cursor, head); !status.ok()) return status;
  }
  return Status();
}

}  // namespace warden::format
