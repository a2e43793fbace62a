// Tensorwarden for C++17 and later: a thin wrapper of <warden.h>, which says more of each call. It
// is compiled into the program, so that compilers and standard libraries may differ.
//
//   tensorwarden::Options options;
//   options.OutDir("runs/1").Set("save_interval", "10").Include("weights").Include("gradients");
//   tensorwarden::Hook hook(options);          // Or Hook::FromEnvironment(), for `warden run`.
//   hook.SetMode(tensorwarden::Mode::kTrain);
//   for (...) {
//     hook.BeginStep();
//     hook.Save("fc.weight", weights.data(), {rows, columns});
//   }
//   hook.Close();
//
// Nothing throws: a call that fails returns a Status, which may be ignored, and training goes on. A
// hook that could not be made says why in status() and does nothing.
#ifndef TENSORWARDEN_WARDEN_HOOK_H_
#define TENSORWARDEN_WARDEN_HOOK_H_

#include <warden.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tensorwarden {

enum class Mode : int32_t {
  kTrain = WD_TRAIN,
  kEval = WD_EVAL,
  kPredict = WD_PREDICT,
  kGlobal = WD_GLOBAL,
};

// WD_OK, or what went wrong.
class Status {
 public:
  Status() = default;
  // Of the call that was just made on this thread.
  static Status Of(wd_status code) {
    Status status;
    status.code_ = code;
    if (code != WD_OK) status.message_ = wd_last_error();
    return status;
  }

  bool ok() const { return code_ == WD_OK; }
  wd_status code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  wd_status code_ = WD_OK;
  std::string message_;
};

// A text that ends with a zero byte, for the time of a call.
class Text {
 public:
  Text(const char* text) : text_(text) {}                 // NOLINT: implicit
  Text(const std::string& text) : text_(text.c_str()) {}  // NOLINT: implicit
  const char* c_str() const { return text_; }

 private:
  const char* text_;
};

// The sizes of a tensor's dimensions. More than the C interface takes are refused there.
class Shape {
 public:
  Shape(std::initializer_list<int64_t> sizes) : Shape(sizes.begin(), sizes.size()) {}
  Shape(const std::vector<int64_t>& sizes)  // NOLINT: implicit
      : Shape(sizes.data(), sizes.size()) {}
  Shape(const int64_t* sizes, size_t dimensions) {
    for (size_t i = 0; i < dimensions && i < WD_MOST_DIMENSIONS; ++i) sizes_[i] = sizes[i];
    dimensions_ = dimensions <= WD_MOST_DIMENSIONS ? static_cast<int32_t>(dimensions)
                                                   : int32_t{WD_MOST_DIMENSIONS} + 1;
  }
  const int64_t* data() const { return sizes_; }
  int32_t dimensions() const { return dimensions_; }

 private:
  int64_t sizes_[WD_MOST_DIMENSIONS] = {};
  int32_t dimensions_;
};

// The type of elements that are a T in C++; 0 if there is none. (float16 and bfloat16 are given by
// their number.)
template <class T>
constexpr wd_dtype DTypeOf() {
  if constexpr (std::is_same_v<T, bool>) return WD_BOOL;
  if constexpr (std::is_same_v<T, float>) return WD_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return WD_FLOAT64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return WD_COMPLEX64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return WD_COMPLEX128;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool kSigned = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return kSigned ? WD_INT8 : WD_UINT8;
    if constexpr (sizeof(T) == 2) return kSigned ? WD_INT16 : WD_UINT16;
    if constexpr (sizeof(T) == 4) return kSigned ? WD_INT32 : WD_UINT32;
    if constexpr (sizeof(T) == 8) return kSigned ? WD_INT64 : WD_UINT64;
  }
  return 0;
}

// What is recorded. The first setting that is refused is kept, and the hook is not made then.
class Options {
 public:
  Options() : options_(wd_options_new()) {}
  ~Options() { wd_options_free(options_); }
  Options(Options&& other) noexcept
      : options_(std::exchange(other.options_, nullptr)), status_(std::move(other.status_)) {}
  Options& operator=(Options&& other) noexcept {
    std::swap(options_, other.options_);
    std::swap(status_, other.status_);
    return *this;
  }

  Options& OutDir(Text folder) { return Keep(wd_options_set_out_dir(options_, folder.c_str())); }
  Options& Config(Text json) { return Keep(wd_options_set_config(options_, json.c_str())); }
  Options& ConfigFile(Text path) { return Keep(wd_options_load_config(options_, path.c_str())); }
  Options& Set(Text key, Text value) {
    return Keep(wd_options_set(options_, key.c_str(), value.c_str()));
  }
  Options& Include(Text collection) {
    return Keep(wd_options_include(options_, collection.c_str()));
  }
  Options& SetFor(Text collection, Text key, Text value) {
    return Keep(wd_options_set_for(options_, collection.c_str(), key.c_str(), value.c_str()));
  }
  Options& AddPattern(Text collection, Text pattern) {
    return Keep(wd_options_add_pattern(options_, collection.c_str(), pattern.c_str()));
  }
  Options& Framework(Text name) { return Keep(wd_options_set_framework(options_, name.c_str())); }
  Options& Worker(int32_t rank, int32_t world_size) {
    return Keep(wd_options_set_worker(options_, rank, world_size));
  }
  Options& Staging(size_t bytes, bool drop) {
    return Keep(wd_options_set_staging(options_, bytes, drop ? 1 : 0));
  }
  Options& OriginalTypesOnly(bool only) {
    return Keep(wd_options_set_original_types_only(options_, only ? 1 : 0));
  }
  Options& LastStep(int64_t step) { return Keep(wd_options_set_last_step(options_, step)); }

  const Status& status() const { return status_; }
  const wd_options* get() const { return options_; }

 private:
  Options& Keep(wd_status code) {
    if (status_.ok()) status_ = Status::Of(code);
    return *this;
  }

  wd_options* options_;
  Status status_;
};

class Hook;

// A tensor's place in a hook; not to be used after it.
class Tensor {
 public:
  Tensor() = default;

 private:
  friend class Hook;
  explicit Tensor(const wd_tensor* tensor) : tensor_(tensor) {}
  const wd_tensor* tensor_ = nullptr;
};

// Something that the program does from here to the end of the scope, on the timeline.
class Span {
 public:
  // The texts outlive the span.
  Span(wd_hook* hook, const char* phase, const char* name)
      : hook_(hook), phase_(phase), name_(name), start_us_(wd_now_us()) {}
  ~Span() { (void)wd_hook_record_span(hook_, phase_, name_, start_us_, wd_now_us() - start_us_); }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  wd_hook* hook_;
  const char* phase_;
  const char* name_;
  int64_t start_us_;
};

// Records one run. Closes when it goes.
class Hook {
 public:
  // One that does nothing.
  Hook() = default;
  explicit Hook(const Options& options) : status_(options.status()) {
    if (status_.ok()) status_ = Status::Of(wd_hook_create(options.get(), &hook_));
  }
  static Hook FromEnvironment(const Options& options = Options()) {
    Hook hook;
    hook.status_ = options.status();
    if (!hook.status_.ok()) return hook;
    hook.status_ = Status::Of(wd_hook_create_from_environment(options.get(), &hook.hook_));
    return hook;
  }
  ~Hook() { wd_hook_free(hook_); }
  Hook(Hook&& other) noexcept
      : hook_(std::exchange(other.hook_, nullptr)), status_(std::move(other.status_)) {}
  Hook& operator=(Hook&& other) noexcept {
    std::swap(hook_, other.hook_);
    std::swap(status_, other.status_);
    return *this;
  }

  // Why there is no hook, or why nothing is saved any more.
  Status status() const { return hook_ == nullptr ? status_ : Status::Of(wd_hook_status(hook_)); }
  bool is_active() const { return wd_hook_is_active(hook_) != 0; }
  bool is_profiling() const { return wd_hook_is_profiling(hook_) != 0; }
  wd_hook* get() const { return hook_; }

  Status SetMode(Mode mode) {
    return Status::Of(wd_hook_set_mode(hook_, static_cast<wd_mode>(mode)));
  }
  Status BeginStep() { return Status::Of(wd_hook_begin_step(hook_)); }
  Status BeginStepAt(int64_t step) { return Status::Of(wd_hook_begin_step_at(hook_, step)); }
  Status EndStep() { return Status::Of(wd_hook_end_step(hook_)); }
  int64_t step() const { return wd_hook_step(hook_); }
  int64_t mode_step(Mode mode) const {
    return wd_hook_mode_step(hook_, static_cast<wd_mode>(mode));
  }

  Tensor Register(Text name) { return Tensor(wd_hook_register(hook_, name.c_str())); }
  bool Wants(Tensor tensor) const { return wd_hook_wants_tensor(hook_, tensor.tensor_) != 0; }
  bool Wants(Text name) const { return wd_hook_wants(hook_, name.c_str()) != 0; }

  template <class T>
  Status Save(Tensor tensor, const T* data, const Shape& shape) {
    const wd_value value = ValueOf(data, shape);
    return Status::Of(wd_hook_save_tensor(hook_, tensor.tensor_, &value));
  }
  template <class T>
  Status Save(Text name, const T* data, const Shape& shape) {
    return Save(name, ValueOf(data, shape));
  }
  Status Save(Text name, const wd_value& value) {
    return Status::Of(wd_hook_save(hook_, name.c_str(), &value));
  }
  template <class T>
  Status SaveInto(Text name, const T* data, const Shape& shape,
                  std::initializer_list<const char*> collections) {
    const wd_value value = ValueOf(data, shape);
    return Status::Of(
        wd_hook_save_into(hook_, name.c_str(), &value, collections.begin(), collections.size()));
  }
  Status SaveStrings(Text name, std::initializer_list<const char*> values,
                     std::initializer_list<const char*> collections = {}) {
    return Status::Of(wd_hook_save_strings(hook_, name.c_str(), values.begin(), values.size(),
                                           collections.begin(), collections.size()));
  }
  Status SaveStrings(Text name, const std::vector<std::string>& values,
                     std::initializer_list<const char*> collections = {}) {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    return Status::Of(wd_hook_save_strings(hook_, name.c_str(), texts.data(), texts.size(),
                                           collections.begin(), collections.size()));
  }
  Status SaveScalar(Text name, double value) {
    return Status::Of(wd_hook_save_scalar(hook_, name.c_str(), value));
  }
  Status AddRole(Text role, Text tensor) {
    return Status::Of(wd_hook_add_role(hook_, role.c_str(), tensor.c_str()));
  }

  Status RecordSpan(Text phase, Text name, int64_t start_us, int64_t duration_us) {
    return Status::Of(
        wd_hook_record_span(hook_, phase.c_str(), name.c_str(), start_us, duration_us));
  }
  // const auto loading = hook.StartSpan("DataLoading", "read");
  Span StartSpan(const char* phase, const char* name) { return {hook_, phase, name}; }

  wd_counters counters() const {
    wd_counters counters{};
    counters.struct_size = sizeof(counters);
    (void)wd_hook_counters(hook_, &counters);
    return counters;
  }
  Status Flush() { return Status::Of(wd_hook_flush(hook_)); }
  Status Close() { return Status::Of(wd_hook_close(hook_)); }

 private:
  template <class T>
  static wd_value ValueOf(const T* data, const Shape& shape) {
    static_assert(DTypeOf<T>() != 0, "no tensor has elements of this type");
    return {sizeof(wd_value), data, DTypeOf<T>(), shape.dimensions(), shape.data(), nullptr};
  }

  wd_hook* hook_ = nullptr;
  Status status_;
};

}  // namespace tensorwarden

#endif  // TENSORWARDEN_WARDEN_HOOK_H_
