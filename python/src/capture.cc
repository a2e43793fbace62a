// Binds warden/capture: the hook inside the training process.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/src/device.h"
#include "python/src/slots.h"
#include "python/src/status_error.h"
#include "python/src/tensor.h"
#include "warden/base/json.h"
#include "warden/capture/capture_hook.h"
#include "warden/config/hook_config.h"
#include "warden/storage/spool/spool_store.h"

namespace nb = nanobind;

namespace warden::python {
namespace {

config::Framework FrameworkNamed(std::string_view name) {
  if (name == "pytorch") return config::Framework::kPyTorch;
  if (name == "tensorflow") return config::Framework::kTensorFlow;
  if (name == "mxnet") return config::Framework::kMxNet;
  if (name == "xgboost") return config::Framework::kXgBoost;
  if (name == "plain") return config::Framework::kPlain;
  Raise(
      Status(Code::kInvalid, "unknown framework '" + std::string(name) +
                                 "'; expected one of: pytorch, tensorflow, mxnet, xgboost, plain"));
}

Mode ModeNumbered(int number) {
  if (number < 1 || number > 4) {
    Raise(Status(Code::kInvalid, "mode is " + std::to_string(number) + "; expected 1 to 4"));
  }
  return static_cast<Mode>(number);
}

// A hook for one Python thread at a time. Tensors are identified by the number from Register.
class PyHook {
 public:
  PyHook(std::string_view config_json, std::string_view framework, std::string worker,
         int world_size, bool is_chief, Step last_step,
         const std::vector<std::pair<int, Step>>& last_mode_steps) {
    capture::HookOptions options;
    options.config = Unwrap(config::HookConfigFromJson(Unwrap(ParseJson(config_json))));
    options.framework = FrameworkNamed(framework);
    options.worker = std::move(worker);
    options.world_size = world_size;
    options.is_chief = is_chief;
    options.last_step = last_step;
    options.last_mode_steps.fill(last_step);
    for (const auto& [mode, step] : last_mode_steps) {
      options.last_mode_steps[ModeIndex(ModeNumbered(mode))] = step;
    }
    const nb::gil_scoped_release release;
    hook_ = UnwrapUnlocked(capture::Hook::Create(options));
  }

  capture::Hook& hook() { return *hook_; }

  size_t Register(std::string_view tensor) {
    handles_.push_back(hook_->Register(tensor));
    return handles_.size() - 1;
  }
  size_t RegisterIn(std::string_view tensor, const std::vector<std::string>& collections) {
    handles_.push_back(hook_->RegisterIn(tensor, collections));
    return handles_.size() - 1;
  }
  const capture::TensorHandle* At(size_t tensor) const {
    if (tensor >= handles_.size()) throw nb::index_error("unknown tensor number");
    return handles_[tensor];
  }
  bool Wants(size_t tensor) const { return hook_->Wants(At(tensor)); }

  // Returns false if the value must first be copied to C order or host memory.
  bool Save(size_t tensor, nb::handle value, bool as_bool) {
    const capture::TensorHandle* handle = At(tensor);
    if (!hook_->Wants(handle)) return true;
    const auto borrowed = BorrowedTensor::From(value, as_bool);
    if (!borrowed) return false;
    const stats::TensorRef ref = borrowed->ref();
    const nb::gil_scoped_release release;
    hook_->Save(handle, ref);
    return true;
  }

  // Saves a tensor without dimensions by its value: as float64, or as float32 if it is not wide.
  void SaveNumber(size_t tensor, double value, bool wide) {
    const capture::TensorHandle* handle = At(tensor);
    if (!hook_->Wants(handle)) return;
    const auto narrow = static_cast<float>(value);
    const nb::gil_scoped_release release;
    if (wide) {
      hook_->Save(handle, {&value, DType::kFloat64, {}});
    } else {
      hook_->Save(handle, {&narrow, DType::kFloat32, {}});
    }
  }

  // Saves several tensors with one release of the GIL. Returns the positions of those that must be
  // prepared first.
  std::vector<size_t> SaveMany(const nb::list& tensors, const nb::list& values) {
    std::vector<size_t> unfit;
    std::deque<BorrowedTensor> borrowed;
    std::vector<std::pair<const capture::TensorHandle*, stats::TensorRef>> taken;
    const size_t count = std::min(tensors.size(), values.size());
    for (size_t i = 0; i < count; ++i) {
      const capture::TensorHandle* handle = At(nb::cast<size_t>(tensors[i]));
      if (!hook_->Wants(handle)) continue;
      auto tensor = BorrowedTensor::From(values[i], false);
      if (!tensor) {
        unfit.push_back(i);
        continue;
      }
      borrowed.push_back(std::move(*tensor));
      taken.emplace_back(handle, borrowed.back().ref());
    }
    const nb::gil_scoped_release release;
    for (const auto& [handle, ref] : taken) hook_->Save(handle, ref);
    return unfit;
  }

  // Saves single numbers by name, each as an array of one element: those that are registered (in
  // numbers), due and not in saved, to which they are added. Returns the names of the values that
  // are not registered or not single numbers.
  nb::list SaveMetrics(const nb::dict& metrics, const nb::dict& numbers, const nb::set& saved) {
    nb::list rest;
    Numbers taken;
    taken.reserve(metrics.size());
    for (const auto& [name, value] : metrics) {
      if (saved.contains(name)) continue;
      PyObject* number = PyDict_GetItemWithError(numbers.ptr(), name.ptr());
      if (number == nullptr) {
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
        rest.append(name);
        continue;
      }
      const capture::TensorHandle* handle = At(nb::cast<size_t>(nb::handle(number)));
      if (!hook_->Wants(handle)) continue;
      const double single = PyFloat_AsDouble(value.ptr());
      if (single == -1 && PyErr_Occurred() != nullptr) {
        // Each library raises its own error for other values; Ctrl-C must pass.
        if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
        PyErr_Clear();
        rest.append(name);
        continue;
      }
      taken.emplace_back(handle, single);
      if (PySet_Add(saved.ptr(), name.ptr()) != 0) throw nb::python_error();
    }
    SaveNumbers(taken);
    return rest;
  }

  bool SaveTensor(std::string_view name, nb::handle value, bool as_bool,
                  const std::vector<std::string>& collections) {
    const auto borrowed = BorrowedTensor::From(value, as_bool);
    if (!borrowed) return false;
    const stats::TensorRef ref = borrowed->ref();
    const nb::gil_scoped_release release;
    hook_->SaveTensor(name, ref, collections);
    return true;
  }

  bool SaveTensorNow(std::string_view name, nb::handle value,
                     const std::vector<std::string>& collections) {
    const auto borrowed = BorrowedTensor::From(value, false);
    if (!borrowed) return false;
    const stats::TensorRef ref = borrowed->ref();
    const nb::gil_scoped_release release;
    hook_->SaveTensorNow(name, ref, collections);
    return true;
  }

  // Saves numbers by name, whether a collection is due or not, with one call for all.
  void SaveNumbersNow(const nb::dict& numbers, std::string_view prefix,
                      const std::vector<std::string>& collections) {
    std::vector<capture::Hook::NamedNumber> taken;
    taken.reserve(numbers.size());
    for (const auto& [name, value] : numbers) {
      std::string full(prefix);
      full += nb::cast<std::string_view>(name);
      const double number = PyFloat_AsDouble(value.ptr());
      if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
      taken.emplace_back(std::move(full), number);
    }
    const nb::gil_scoped_release release;
    hook_->SaveNumbersNow(taken, collections);
  }

  void SaveScalars(const nb::sequence& names, const nb::sequence& values) {
    // Tuples, because their items can be read in every stable interface of Python.
    const nb::tuple name_items(names);
    const nb::tuple value_items(values);
    const size_t count = name_items.size();
    if (count != value_items.size()) throw nb::value_error("names and values differ in length");
    for (size_t i = 0; i < count; ++i) {
      const auto place = static_cast<Py_ssize_t>(i);
      Py_ssize_t length = 0;
      const char* name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(name_items.ptr(), place), &length);
      if (name == nullptr) throw nb::python_error();
      const double value = PyFloat_AsDouble(PyTuple_GetItem(value_items.ptr(), place));
      if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
      hook_->SaveScalar({name, static_cast<size_t>(length)}, value);
    }
  }

  // Tensors in a buffer that a GPU fills: the host address, type and shape of each.
  using Lent = std::tuple<size_t, uint64_t, std::string_view, std::vector<int64_t>>;
  void LendMany(int slot, int device, uint64_t event, const std::vector<Lent>& tensors) {
    const auto lender = LendSlot(returned_, slot, device, event);
    for (const auto& [tensor, address, dtype, shape] : tensors) {
      hook_->Lend(At(tensor), {{Pointer(address), TypeNamed(dtype), shape}, lender});
    }
    hook_->HandOver();
  }
  // Starts to summarize tensors on a GPU, those of which only reductions are saved now, into the
  // next rows. addresses: one for each of the group; negative for a tensor that is left out.
  // Returns the positions of those that are due and must be saved in another way. REQUIRES: there
  // is room for all.
  std::vector<size_t> SaveOnDevice(const DeviceGroup& group, const std::vector<int64_t>& addresses,
                                   const PyDeviceSummaries& gpu, DeviceRows& rows, uint64_t scratch,
                                   uint64_t stream) {
    const auto& items = *group.items;
    if (addresses.size() != items.size() || rows.room() < items.size()) {
      throw nb::value_error(
          "the number of addresses is not that of the group, or rows has no room");
    }
    std::vector<size_t> others;
    std::vector<stats::cuda::DeviceTensor> tensors;
    tensors.reserve(items.size());
    const size_t before = rows.rows.size();
    for (size_t i = 0; i < items.size(); ++i) {
      const DeviceGroup::Item& item = items[i];
      const capture::TensorHandle* handle = At(item.number);
      if (addresses[i] < 0 || !hook_->Wants(handle)) continue;
      const capture::SavePlan plan = hook_->PlanFor(handle);
      if (plan.raw || plan.scalar || !plan.histogram_collection.empty() || plan.reductions.none()) {
        others.push_back(i);
        continue;
      }
      stats::cuda::DeviceTensor tensor{
          static_cast<uint64_t>(addresses[i]), item.count, item.type.element, {}, {}};
      if (!item.steps.empty()) {
        tensor.sizes = item.shape;
        tensor.steps = item.steps;
      }
      tensors.push_back(tensor);
      rows.rows.push_back({handle, group.items, i, hook_->NextSequence()});
    }
    const Status launched = gpu.summaries().Launch(
        tensors, {rows.on_device + before * stats::cuda::kRowBytes, scratch}, stream);
    if (launched.code() == Code::kInvalid) {  // Too many strides: all of them the slow way.
      for (size_t i = before; i < rows.rows.size(); ++i) others.push_back(rows.rows[i].item);
    }
    if (!launched.ok()) rows.rows.resize(before);
    if (launched.code() != Code::kInvalid) Check(launched);
    return others;
  }
  // Lends the rows, which a GPU copies to the host until the event, and empties them.
  void LendRows(DeviceRows& rows, int slot, int device, uint64_t event) {
    const auto lender = LendSlot(returned_, slot, device, event);
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      const DeviceRows::Row& row = rows.rows[i];
      const DeviceGroup::Item& item = (*row.items)[row.item];
      const uint64_t address = rows.on_host + i * stats::cuda::kRowBytes;
      hook_->LendSummary(row.tensor, item.type.dtype, item.shape,
                         {{Pointer(address), DType::kFloat64, {}}, lender}, row.sequence);
    }
    rows.rows.clear();
    hook_->HandOver();
  }
  // The same with the tensors' reductions instead of values: float64, in the order of plan.
  void LendReductions(int slot, int device, uint64_t event, const std::vector<Lent>& tensors) {
    const auto lender = LendSlot(returned_, slot, device, event);
    for (const auto& [tensor, address, dtype, shape] : tensors) {
      hook_->SaveReductions(At(tensor), TypeNamed(dtype), shape,
                            {{Pointer(address), DType::kFloat64, {}}, lender});
    }
    hook_->HandOver();
  }
  std::vector<int> ReturnedSlotNumbers(int64_t timeout_ms) {
    const nb::gil_scoped_release release;
    return returned_->Take(std::chrono::milliseconds(timeout_ms));
  }

  // Raw values, shape, histogram, and the numbers of the reductions.
  std::tuple<bool, bool, bool, std::vector<int>> Plan(size_t tensor) const {
    const capture::SavePlan plan = hook_->PlanFor(At(tensor));
    std::vector<int> reductions;
    for (int i = 0; i < Reduction::kCount; ++i) {
      if (plan.reductions[static_cast<size_t>(i)]) reductions.push_back(i);
    }
    return {plan.raw, plan.shape, !plan.histogram_collection.empty() || plan.scalar,
            std::move(reductions)};
  }

  std::map<std::string, std::vector<std::string>> CollectionTensors() const {
    std::map<std::string, std::vector<std::string>> all;
    for (const auto& [name, collection] : hook_->collections()) {
      all[name] = {collection.tensor_names.begin(), collection.tensor_names.end()};
    }
    return all;
  }

  void Flush() {
    Status status;
    {
      const nb::gil_scoped_release release;
      status = hook_->Flush();
    }
    Check(status);
  }

  void Close() {
    Status status;
    {
      const nb::gil_scoped_release release;
      status = hook_->Close();
    }
    Check(status);
  }

 private:
  using Numbers = std::vector<std::pair<const capture::TensorHandle*, double>>;

  void SaveNumbers(const Numbers& numbers) {
    const int64_t one = 1;
    const nb::gil_scoped_release release;
    for (const auto& [tensor, number] : numbers) {
      hook_->Save(tensor, {&number, DType::kFloat64, std::span(&one, 1)});
    }
  }

  static const void* Pointer(uint64_t address) { return reinterpret_cast<const void*>(address); }
  static DType TypeNamed(std::string_view name) {
    const auto type = ParseDType(name);
    if (!type) throw nb::value_error("unknown tensor type");
    return *type;
  }

  // Acquires the GIL to raise.
  template <class T>
  static T UnwrapUnlocked(Result<T> result) {
    if (!result.ok()) {
      const nb::gil_scoped_acquire acquire;
      Raise(result.status());
    }
    return std::move(result).value();
  }

  std::unique_ptr<capture::Hook> hook_;
  std::vector<const capture::TensorHandle*> handles_;
  const std::shared_ptr<ReturnedSlots> returned_ = std::make_shared<ReturnedSlots>();
};

}  // namespace

void InitCapture(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PyHook>(module, "Hook", "Saves tensors of one training run, step by step.")
      .def(nb::init<std::string_view, std::string_view, std::string, int, bool, Step,
                    const std::vector<std::pair<int, Step>>&>(),
           "config"_a, "framework"_a, "worker"_a = "worker_0", "world_size"_a = 1,
           "is_chief"_a = true, "last_step"_a = -1,
           "last_mode_steps"_a = std::vector<std::pair<int, Step>>())
      .def("set_mode", [](PyHook& self, int mode) { self.hook().SetMode(ModeNumbered(mode)); })
      .def(
          "begin_step", [](PyHook& self, bool light) { return self.hook().BeginStep(light); },
          "light"_a = false,
          "Ends the previous step and starts the next. Returns what is due; 0 if nothing is. With "
          "light, only single numbers such as losses are due.")
      .def(
          "quiet_steps", [](PyHook& self, int64_t most) { return self.hook().QuietSteps(most); },
          "most"_a, "Returns how many of the next `most` steps have nothing due.")
      .def(
          "skip_steps", [](PyHook& self, int64_t count) { self.hook().SkipSteps(count); },
          "count"_a, "Counts steps that ran without begin_step.")
      .def("begin_step_at", [](PyHook& self, Step step) { return self.hook().BeginStepAt(step); })
      .def("end_step", [](PyHook& self) { self.hook().EndStep(); })
      .def("register", &PyHook::Register, "tensor"_a, "Returns a number for the tensor.")
      .def("register_in", &PyHook::RegisterIn, "tensor"_a, "collections"_a,
           "Puts a tensor into collections, and returns a number for it.")
      .def("wants", &PyHook::Wants, "tensor"_a)
      .def(
          "matches", [](PyHook& self, std::string_view name) { return self.hook().Matches(name); },
          "name"_a, "Returns what must be due for this tensor to be saved, without registering it.")
      .def("plan", &PyHook::Plan, "tensor"_a,
           "Returns what is saved of it now: values, shape, histogram, numbers of reductions.")
      .def(
          "tensor_name", [](PyHook& self, size_t tensor) { return self.At(tensor)->name(); },
          "tensor"_a, "Returns the name that the tensor was registered with.")
      .def("save", &PyHook::Save, "tensor"_a, "value"_a.none(), "as_bool"_a = false,
           "Returns False if the value must first be copied to C order or host memory.")
      .def("save_number", &PyHook::SaveNumber, "tensor"_a, "value"_a, "wide"_a = false,
           "Saves a tensor without dimensions, float64 if it is wide, otherwise float32.")
      .def("save_many", &PyHook::SaveMany, "tensors"_a, "values"_a,
           "Returns the positions of values that must be prepared first.")
      .def("save_metrics", &PyHook::SaveMetrics, "metrics"_a, "numbers"_a, "saved"_a,
           "Saves single numbers by name, each as an array of one float64: those that are "
           "registered, due and not in `saved`, to which they are added. Returns the names of the "
           "others that may be due.")
      .def("lend_many", &PyHook::LendMany, "slot"_a, "device"_a, "event"_a, "tensors"_a,
           "Lends tensors (number, address, type, shape) in a pinned buffer, which is ready after "
           "the CUDA event.")
      .def("save_on_device", &PyHook::SaveOnDevice, "group"_a, "addresses"_a, "gpu"_a, "rows"_a,
           "scratch"_a, "stream"_a,
           "Starts to summarize the tensors of a group of which only reductions are saved now; a "
           "negative address leaves one out. Returns the positions of those that are due and must "
           "be saved in another way.")
      .def("lend_rows", &PyHook::LendRows, "rows"_a, "slot"_a, "device"_a, "event"_a,
           "Lends rows in a pinned buffer, which is ready after the CUDA event, and empties them.")
      .def(
          "first_not_finite",
          [](PyHook& self) -> std::optional<std::tuple<Step, std::string, uint64_t>> {
            const auto first = self.hook().first_not_finite();
            if (!first) return std::nullopt;
            return std::tuple(first->step, first->tensor, first->sequence);
          },
          "Returns step, name and place in the step of the first tensor with NaN or infinite "
          "values "
          "among those whose statistics were written; None if there is none.")
      .def("lend_reductions", &PyHook::LendReductions, "slot"_a, "device"_a, "event"_a, "tensors"_a)
      .def("returned_slots", &PyHook::ReturnedSlotNumbers, "timeout_ms"_a = 0,
           "Returns the numbers of buffers that were read; waits for one if there is none.")
      .def("save_tensor", &PyHook::SaveTensor, "name"_a, "value"_a, "as_bool"_a, "collections"_a)
      .def("save_tensor_now", &PyHook::SaveTensorNow, "name"_a, "value"_a, "collections"_a,
           "Saves all values, whether a collection is due or not.")
      .def("save_numbers_now", &PyHook::SaveNumbersNow, "numbers"_a, "prefix"_a, "collections"_a,
           "Saves numbers by name, each as an array of one element, whether a collection is due or "
           "not.")
      .def(
          "save_strings",
          [](PyHook& self, std::string_view name, const std::vector<std::string>& values,
             const std::vector<std::string>& collections) {
            self.hook().SaveTensor(name, values, collections);
          },
          "name"_a, "values"_a, "collections"_a)
      .def("save_scalar", [](PyHook& self, std::string_view name,
                             double value) { self.hook().SaveScalar(name, value); })
      .def("save_scalars", &PyHook::SaveScalars, "names"_a, "values"_a)
      .def("collection_tensors", &PyHook::CollectionTensors)
      .def(
          "add_roles",
          [](PyHook& self, const config::Roles& roles) { self.hook().AddRoles(roles); }, "roles"_a,
          "Adds roles of tensors, each with prefixes of their names, to the manifest.")
      .def(
          "include",
          [](PyHook& self, std::string_view collection, const std::vector<std::string>& patterns) {
            Check(self.hook().Include(collection, patterns));
          },
          "collection"_a, "patterns"_a,
          "Adds tensors, including known ones, to a collection that is saved.")
      .def_prop_ro("step", [](PyHook& self) { return self.hook().step(); })
      .def("mode_step",
           [](PyHook& self, int mode) { return self.hook().mode_step(ModeNumbered(mode)); })
      .def("counters",
           [](PyHook& self) {
             const capture::HookCounters c = self.hook().counters();
             nb::dict counters;
             counters["saved_steps"] = c.saved_steps;
             counters["saved_tensors"] = c.saved_tensors;
             counters["saved_bytes"] = c.saved_bytes;
             counters["dropped"] = c.dropped;
             counters["failed"] = c.failed;
             return counters;
           })
      .def(
          "failure",
          [](PyHook& self) -> std::optional<std::string> {
            const Status status = self.hook().status();
            if (status.ok()) return std::nullopt;
            return status.message();
          },
          "Returns why saving was disabled, which has been logged; None if it was not.")
      .def("flush", &PyHook::Flush, "Waits until all finished steps are saved.")
      .def("close", &PyHook::Close, "Saves pending steps and marks the end of the job.");

  module.def(
      "take_claim",
      [](std::string_view folder) {
        const auto store = Unwrap(storage::OpenStore(folder));
        const auto claim = capture::Claim::Take(store.get(), capture::Claim::Respect::kSameJob);
        if (!claim.ok() && claim.status().code() != Code::kExists) Raise(claim.status());
        return claim.ok();
      },
      "folder"_a, "Claims the folder for a run; returns whether that succeeded.");
  module.def(
      "open_spool",
      [](std::string place) {
        Status status;
        {
          const nb::gil_scoped_release release;
          status = storage::spool::OpenOutput(&place).status();
        }
        Check(status);
        return place;
      },
      "place"_a,
      "Returns the local folder for a run that is saved to an s3:// address, and starts the "
      "process "
      "that sends its files.");
  module.def(
      "load_hook_config",
      [](std::string_view path, std::string_view framework) {
        return DumpLikePython(
            config::ToJson(Unwrap(config::LoadHookConfig(path, FrameworkNamed(framework)))));
      },
      "path"_a, "framework"_a, "Returns the configuration from the file or the environment.");
  module.def(
      "parse_hook_config",
      [](std::string_view text, std::string_view framework) {
        return DumpLikePython(
            config::ToJson(Unwrap(config::ParseHookConfig(text, FrameworkNamed(framework)))));
      },
      "text"_a, "framework"_a);
  module.def(
      "builtin_collections",
      [](std::string_view framework) {
        Json list = Json::array();
        for (const auto& [name, collection] :
             config::BuiltinCollections(FrameworkNamed(framework))) {
          list.push_back(config::ToJson(collection));
        }
        return DumpLikePython(list);
      },
      "framework"_a);
  module.def(
      "default_collections",
      [](std::string_view framework) {
        return config::DefaultCollections(FrameworkNamed(framework));
      },
      "framework"_a);
}

}  // namespace warden::python
