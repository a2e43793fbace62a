// Binds the reading of a single event file, without the index of its run.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "python/src/conversions.h"
#include "python/src/gil.h"
#include "python/src/numpy.h"
#include "warden/format/event_message.h"
#include "warden/format/record.h"
#include "warden/storage/store.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace warden::python {
namespace {

struct SavedTensor {
  double wall_time = 0;  // Seconds since 1970.
  std::string name;
  Step step = 0;
  trial::TensorValue value;
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
};

Result<storage::Blob> ReadFile(const std::string& folder, const std::string& key) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  return store.value()->ReadAll(key);
}

SavedTensor ToSavedTensor(format::EventValue* value, Step step,
                          const std::shared_ptr<const void>& owner) {
  SavedTensor saved;
  saved.name = value->tag;
  saved.step = step;
  saved.mode = value->mode.value_or(Mode::kGlobal);
  saved.mode_step = value->mode_step.value_or(step);
  saved.value.dtype = value->dtype;
  saved.value.shape = std::move(value->shape);
  saved.value.strings.assign(value->strings.begin(), value->strings.end());
  if (value->own_content.empty()) {
    saved.value.data = value->content;
    saved.value.owner = owner;
  } else {
    auto own = std::make_shared<std::vector<std::byte>>(std::move(value->own_content));
    saved.value.data = *own;
    saved.value.owner = std::move(own);
  }
  return saved;
}

// Reads the records of one event file in order.
class EventFile {
 public:
  EventFile(storage::Blob blob, format::Check check)
      : blob_(std::move(blob)), reader_(blob_.bytes, check) {}

  // Returns the tensors of the next record. REQUIRES: !done().
  Result<std::vector<SavedTensor>> Next() {
    auto payload = reader_.Next();
    if (!payload.ok()) return payload.status();
    auto event = format::ParseEvent(payload.value());
    if (!event.ok()) return event.status();
    std::vector<SavedTensor> tensors;
    for (format::EventValue& value : event.value().values) {
      if (value.kind != format::EventValue::Kind::kTensor) continue;
      tensors.push_back(ToSavedTensor(&value, event.value().step, blob_.owner));
      tensors.back().wall_time = event.value().wall_time;
    }
    return tensors;
  }
  bool done() const { return reader_.done(); }

 private:
  storage::Blob blob_;
  format::RecordReader reader_;
};

std::unique_ptr<EventFile> OpenEventFile(const std::string& folder, const std::string& key,
                                         bool full_check) {
  return std::make_unique<EventFile>(WithoutGil([&] { return ReadFile(folder, key); }),
                                     full_check ? format::Check::kFull : format::Check::kFast);
}

nb::object NextRecord(EventFile* file) {
  if (file->done()) return nb::none();
  nb::list tensors;
  for (const SavedTensor& saved : Unwrap(file->Next())) {
    tensors.append(nb::make_tuple(saved.wall_time, ToText(saved.name), saved.step,
                                  ToArray(saved.value), static_cast<int>(saved.mode),
                                  saved.mode_step));
  }
  return tensors;
}

// Reads the first tensor of the record at this position.
nb::object ReadTensor(const std::string& folder, const std::string& key, uint64_t start,
                      uint64_t length) {
  storage::Blob blob = WithoutGil([&]() -> Result<storage::Blob> {
    auto store = storage::OpenStore(folder);
    if (!store.ok()) return store.status();
    auto object = store.value()->Open(key);
    if (!object.ok()) return object.status();
    return object.value()->Read(start, length);
  });
  EventFile record(std::move(blob), format::Check::kFast);
  const auto tensors = Unwrap(record.Next());
  if (tensors.empty()) Raise(Status(Code::kCorrupt, key + ": the record contains no tensor"));
  return ToArray(tensors[0].value);
}

nb::list ListFiles(const std::string& folder, const std::string& prefix) {
  return ToTexts(WithoutGil([&]() -> Result<std::vector<std::string>> {
    auto store = storage::OpenStore(folder);
    if (!store.ok()) return store.status();
    return store.value()->List(prefix);
  }));
}

}  // namespace

void InitEventFile(nb::module_& module) {
  nb::class_<EventFile>(module, "EventFile", "The records of one event file.")
      .def_static("open", &OpenEventFile, "folder"_a, "key"_a, "full_check"_a)
      .def("next", &NextRecord,
           "Returns (wall time, name, step, values, mode, mode step) of the next tensors; None at "
           "the "
           "end.");
  module.def("list_files", &ListFiles, "folder"_a, "prefix"_a,
             "Returns the complete files below the prefix, in order.");
  module.def("read_tensor", &ReadTensor, "folder"_a, "key"_a, "start"_a, "length"_a);
}

}  // namespace warden::python
