/// @file hook.h
/// @brief Tensorwarden for C++17 and later: records the tensors, steps and timeline of a training.
///
/// A thin wrapper of <warden.h>, which documents each call in detail. The wrapper is compiled into
/// your program; the library can be built with another compiler or standard library.
///
///   tensorwarden::Options options;
///   options.OutDir("runs/1").Set("save_interval", "10").Include("weights").Include("gradients");
///   tensorwarden::Hook hook(options);          // Or Hook::FromEnvironment(), for `warden run`.
///   hook.SetMode(tensorwarden::Mode::kTrain);
///   for (...) {
///     hook.BeginStep();
///     hook.Save("fc.weight", weights.data(), {rows, columns});
///   }
///   hook.Close();
///
/// Errors: no call throws. A call that fails returns a Status. You can ignore it: training
/// continues. A hook that could not be created does nothing; its status() has the reason.
///
/// Threads: use an Options object from one thread at a time. Call SetMode(), BeginStep(),
/// BeginStepAt(), EndStep(), step(), mode_step() and Close() from the training thread only. All
/// other calls on a Hook can be made from any thread until Close() begins.
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

/// Purpose of the steps; see Hook::SetMode(). Steps are counted in each mode and over all modes;
/// rules compare steps of the same mode.
enum class Mode : int32_t {
  kTrain = WD_TRAIN,
  kEval = WD_EVAL,
  kPredict = WD_PREDICT,
  kGlobal = WD_GLOBAL,
};

/// Result of a call: success, or an error code with a message. A plain value; copies are
/// independent. Not marked as [[nodiscard]]: a training may ignore it.
///
///   if (const tensorwarden::Status status = hook.Close(); !status.ok()) {
///     std::cerr << status.message() << "\n";
///   }
class Status {
 public:
  /// Success.
  Status() = default;
  /// Returns the status of a call of <warden.h> that was just made on this thread.
  ///
  /// @param code Result of the call.
  static Status Of(wd_status code) {
    Status status;
    status.code_ = code;
    if (code != WD_OK) status.message_ = wd_last_error();
    return status;
  }

  /// True if the call succeeded.
  bool ok() const { return code_ == WD_OK; }
  /// The status code: WD_INVALID for an argument that is not accepted, WD_CLOSED after
  /// Hook::Close(), WD_IO for errors of the operating system; see <warden.h> for all of them.
  wd_status code() const { return code_; }
  /// The error message; empty if ok(). It names the argument, its value and what is accepted.
  const std::string& message() const { return message_; }

 private:
  wd_status code_ = WD_OK;
  std::string message_;
};

/// A string argument, from a C string or a std::string. It refers to the caller's string and is
/// valid as long as that string is.
class Text {
 public:
  /// Refers to a UTF-8 string that ends with a zero byte. NULL is rejected by the call.
  Text(const char* text) : text_(text) {}                 // NOLINT: implicit
  Text(const std::string& text) : text_(text.c_str()) {}  // NOLINT: implicit
  /// The string, ending with a zero byte.
  const char* c_str() const { return text_; }

 private:
  const char* text_;
};

/// Shape of a tensor: the size of each dimension. {} is a scalar. Calls reject a shape with more
/// than WD_MOST_DIMENSIONS dimensions.
class Shape {
 public:
  /// {rows, columns}: the sizes, from the first dimension to the last.
  Shape(std::initializer_list<int64_t> sizes) : Shape(sizes.begin(), sizes.size()) {}
  /// The same from a vector, which is copied.
  Shape(const std::vector<int64_t>& sizes)  // NOLINT: implicit
      : Shape(sizes.data(), sizes.size()) {}
  /// Copies sizes from an array.
  ///
  /// @param sizes Size of each dimension.
  /// @param dimensions Number of dimensions.
  Shape(const int64_t* sizes, size_t dimensions) {
    for (size_t i = 0; i < dimensions && i < WD_MOST_DIMENSIONS; ++i) sizes_[i] = sizes[i];
    dimensions_ = dimensions <= WD_MOST_DIMENSIONS ? static_cast<int32_t>(dimensions)
                                                   : int32_t{WD_MOST_DIMENSIONS} + 1;
  }
  /// Size of each dimension. The shape owns the array.
  const int64_t* data() const { return sizes_; }
  /// Number of dimensions.
  int32_t dimensions() const { return dimensions_; }

 private:
  int64_t sizes_[WD_MOST_DIMENSIONS] = {};
  int32_t dimensions_;
};

/// Returns the element type for the C++ type T, or 0 if there is none. For float16 and bfloat16,
/// set wd_value::dtype yourself.
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

/// Settings of a hook: what is recorded. Setters can be chained. A setting that is not accepted
/// changes nothing; status() keeps the first error, and a hook created from these options does
/// nothing.
///
///   tensorwarden::Options options;
///   options.OutDir("runs/1").Include("losses").SetFor("losses", "save_interval", "1");
///   if (!options.status().ok()) std::cerr << options.status().message() << "\n";
///
/// Keys and values are those of docs/reference/configuration.md, as text. Movable, not copyable.
class Options {
 public:
  /// Default settings.
  Options() : options_(wd_options_new()) {}
  /// Hooks created from the options are not affected.
  ~Options() { wd_options_free(options_); }
  Options(Options&& other) noexcept
      : options_(std::exchange(other.options_, nullptr)), status_(std::move(other.status_)) {}
  Options& operator=(Options&& other) noexcept {
    std::swap(options_, other.options_);
    std::swap(status_, other.status_);
    return *this;
  }

  /// Sets the folder of the run; it must not contain a finished run. It is created if necessary,
  /// and checked when the hook is created and first saves.
  Options& OutDir(Text folder) { return Keep(wd_options_set_out_dir(options_, folder.c_str())); }
  /// Replaces all configuration settings by a complete configuration, as JSON text.
  Options& Config(Text json) { return Keep(wd_options_set_config(options_, json.c_str())); }
  /// Replaces all configuration settings by the configuration in a JSON file.
  Options& ConfigFile(Text path) { return Keep(wd_options_load_config(options_, path.c_str())); }
  /// Sets one of the HookParameters, such as ("save_interval", "10").
  Options& Set(Text key, Text value) {
    return Keep(wd_options_set(options_, key.c_str(), value.c_str()));
  }
  /// Includes a collection: its tensors are saved. A custom collection also needs a pattern.
  Options& Include(Text collection) {
    return Keep(wd_options_include(options_, collection.c_str()));
  }
  /// Includes a collection and sets one of its CollectionParameters.
  Options& SetFor(Text collection, Text key, Text value) {
    return Keep(wd_options_set_for(options_, collection.c_str(), key.c_str(), value.c_str()));
  }
  /// Includes a collection and adds the tensors whose name contains a match of the pattern.
  Options& AddPattern(Text collection, Text pattern) {
    return Keep(wd_options_add_pattern(options_, collection.c_str(), pattern.c_str()));
  }
  /// Sets the framework, which defines the built-in collections: "plain", "pytorch", "tensorflow",
  /// "mxnet" or "xgboost".
  Options& Framework(Text name) { return Keep(wd_options_set_framework(options_, name.c_str())); }
  /// Sets the rank of this process in a distributed training: 0 <= rank < world_size. Rank 0 saves;
  /// with Set("include_workers", "all"), every rank saves.
  Options& Worker(int32_t rank, int32_t world_size) {
    return Keep(wd_options_set_worker(options_, rank, world_size));
  }
  /// Sets the memory for tensors that wait to be written (default: 64 MiB). If it is full, tensors
  /// are dropped and counted (drop is true), or saving waits for the disk.
  Options& Staging(size_t bytes, bool drop) {
    return Keep(wd_options_set_staging(options_, bytes, drop ? 1 : 0));
  }
  /// Restricts saved element types to those that smdebug can read; other types are widened, and
  /// tensors that cannot be widened are not saved.
  Options& OriginalTypesOnly(bool only) {
    return Keep(wd_options_set_original_types_only(options_, only ? 1 : 0));
  }
  /// Resumes a run: the next step has the number step + 1, in all modes. 0 <= step <=
  /// WD_LARGEST_STEP.
  Options& LastStep(int64_t step) { return Keep(wd_options_set_last_step(options_, step)); }

  /// The first setting that was not accepted, or success.
  const Status& status() const { return status_; }
  /// The options for <warden.h>. This object owns them.
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

/// Handle of a registered tensor; see Hook::Register(). Use it only with its hook, while that hook
/// exists. A pointer in size: pass it by value.
class Tensor {
 public:
  /// A handle without a tensor: never wanted; saving it fails.
  Tensor() = default;

 private:
  friend class Hook;
  explicit Tensor(const wd_tensor* tensor) : tensor_(tensor) {}
  const wd_tensor* tensor_ = nullptr;
};

/// Records the time from its construction to its destruction on the timeline. Errors are ignored.
class Span {
 public:
  /// Starts a span. hook, phase and name must outlive it.
  ///
  /// @param hook The hook, or NULL to record nothing.
  /// @param phase Group of the span, such as "DataLoading".
  /// @param name Name of the span.
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

/// Records one run. The destructor closes it. Movable, not copyable.
///
/// In a forked child process the parent's hook does nothing. A program that exits without closing
/// its hook loses the current step, and programs that watch the run wait until they see that the
/// process no longer exists.
class Hook {
 public:
  /// A hook that does nothing.
  Hook() = default;
  /// Creates a hook. If that fails, status() has the reason and the hook does nothing.
  ///
  /// @param options The settings. They can be destroyed after the call.
  explicit Hook(const Options& options) : status_(options.status()) {
    if (status_.ok()) status_ = Status::Of(wd_hook_create(options.get(), &hook_));
  }
  /// Creates a hook with the configuration of `warden run` or of a SageMaker job. Without a
  /// configuration, or if USE_SMDEBUG is false, the hook saves nothing; that is not an error.
  ///
  /// @param options Framework, worker, staging, types and last step of this program. Its
  ///     configuration settings are ignored.
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

  /// Success, or why the hook could not be created or stopped saving. The error that disabled
  /// capture was also written to stderr. Any thread.
  Status status() const { return hook_ == nullptr ? status_ : Status::Of(wd_hook_status(hook_)); }
  /// True if the hook saves the tensors that its configuration includes; false if it saves
  /// nothing, is closed or could not be created. Any thread.
  bool is_active() const { return wd_hook_is_active(hook_) != 0; }
  /// True if the timeline is being recorded: while the file at $SMPROFILER_CONFIG_PATH enables
  /// profiling, which may change while the program runs. Any thread.
  bool is_profiling() const { return wd_hook_is_profiling(hook_) != 0; }
  /// The hook for <warden.h>, or NULL. This object owns it.
  wd_hook* get() const { return hook_; }

  /// Sets the mode of the following steps; a new hook is in Mode::kGlobal. Each mode counts its
  /// steps separately.
  Status SetMode(Mode mode) {
    return Status::Of(wd_hook_set_mode(hook_, static_cast<wd_mode>(mode)));
  }
  /// Ends the current step and begins the next one, which has the next number of its mode.
  Status BeginStep() { return Status::Of(wd_hook_begin_step(hook_)); }
  /// Ends the current step and begins a step with a given number, 0 to WD_LARGEST_STEP, such as a
  /// boosting round.
  Status BeginStepAt(int64_t step) { return Status::Of(wd_hook_begin_step_at(hook_, step)); }
  /// Ends the current step, so that readers of the run see it before the next step begins.
  Status EndStep() { return Status::Of(wd_hook_end_step(hook_)); }
  /// Number of the last step that began, over all modes; -1 before the first step, and if the hook
  /// saves nothing.
  int64_t step() const { return wd_hook_step(hook_); }
  /// Number of the last step that began in a mode; -1 before the first step.
  int64_t mode_step(Mode mode) const {
    return wd_hook_mode_step(hook_, static_cast<wd_mode>(mode));
  }

  /// Registers a tensor: looks up its collections once. Use it to save many tensors quickly.
  ///
  /// @param name Name of the tensor, at most WD_MOST_NAME_BYTES bytes.
  /// @return A handle that is valid as long as the hook exists.
  Tensor Register(Text name) { return Tensor(wd_hook_register(hook_, name.c_str())); }
  /// True if a collection includes the tensor at the current step. Takes about 10 ns: call it
  /// before you compute the values of a tensor.
  bool Wants(Tensor tensor) const { return wd_hook_wants_tensor(hook_, tensor.tensor_) != 0; }
  /// As above, by name. Registers the tensor on the first call.
  bool Wants(Text name) const { return wd_hook_wants(hook_, name.c_str()) != 0; }

  /// Saves a registered tensor, or its reductions, as its collections require.
  ///
  /// @param tensor Handle from Register() of this hook.
  /// @param data The elements in C order, in host memory. Copied before the call returns.
  /// @param shape Size of each dimension.
  /// @return Success, also if no collection includes the tensor; an error if an argument is not
  ///     accepted or the hook is closed. Errors while writing appear in status().
  template <class T>
  Status Save(Tensor tensor, const T* data, const Shape& shape) {
    const wd_value value = ValueOf(data, shape);
    return Status::Of(wd_hook_save_tensor(hook_, tensor.tensor_, &value));
  }
  /// Saves a tensor by name. T is an arithmetic type or std::complex of float or double; see
  /// DTypeOf().
  template <class T>
  Status Save(Text name, const T* data, const Shape& shape) {
    return Save(name, ValueOf(data, shape));
  }
  /// Saves a tensor by name, with any element type. The value's struct_size must be set.
  Status Save(Text name, const wd_value& value) {
    return Status::Of(wd_hook_save(hook_, name.c_str(), &value));
  }
  /// Adds a tensor to collections and saves it if one of them is due. Creates collections that do
  /// not exist.
  template <class T>
  Status SaveInto(Text name, const T* data, const Shape& shape,
                  std::initializer_list<const char*> collections) {
    const wd_value value = ValueOf(data, shape);
    return Status::Of(
        wd_hook_save_into(hook_, name.c_str(), &value, collections.begin(), collections.size()));
  }
  /// Saves a one-dimensional tensor of strings. Without collections, the tensor belongs to those
  /// that match its name.
  Status SaveStrings(Text name, std::initializer_list<const char*> values,
                     std::initializer_list<const char*> collections = {}) {
    return Status::Of(wd_hook_save_strings(hook_, name.c_str(), values.begin(), values.size(),
                                           collections.begin(), collections.size()));
  }
  /// As above, from a vector.
  Status SaveStrings(Text name, const std::vector<std::string>& values,
                     std::initializer_list<const char*> collections = {}) {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    return Status::Of(wd_hook_save_strings(hook_, name.c_str(), texts.data(), texts.size(),
                                           collections.begin(), collections.size()));
  }
  /// Saves a number as the tensor "scalar/<name>", at any step. Between steps, the number is kept
  /// for the next step.
  Status SaveScalar(Text name, double value) {
    return Status::Of(wd_hook_save_scalar(hook_, name.c_str(), value));
  }
  /// Assigns a role, such as "relu_output" or "labels", to a tensor. Rules find the tensor by its
  /// role. A tensor name that ends in '_' is a prefix.
  Status AddRole(Text role, Text tensor) {
    return Status::Of(wd_hook_add_role(hook_, role.c_str(), tensor.c_str()));
  }

  /// Records a time span on the timeline. Does nothing while profiling is off.
  ///
  /// @param phase Group of the span, such as "DataLoading".
  /// @param name Name of the span.
  /// @param start_us Start, as returned by wd_now_us().
  /// @param duration_us Duration in microseconds.
  Status RecordSpan(Text phase, Text name, int64_t start_us, int64_t duration_us) {
    return Status::Of(
        wd_hook_record_span(hook_, phase.c_str(), name.c_str(), start_us, duration_us));
  }
  /// Records the time until the returned span is destroyed:
  ///
  ///   const auto loading = hook.StartSpan("DataLoading", "read");
  ///
  /// The hook, phase and name must outlive the span.
  Span StartSpan(const char* phase, const char* name) { return {hook_, phase, name}; }

  /// What the hook has saved so far: steps, tensors, bytes, and tensors that were dropped or could
  /// not be saved. All zero for a hook that does nothing. Any thread.
  wd_counters counters() const {
    wd_counters counters{};
    counters.struct_size = sizeof(counters);
    (void)wd_hook_counters(hook_, &counters);
    return counters;
  }
  /// Waits until all steps that have ended are on disk. Returns the first error of the recording.
  Status Flush() { return Status::Of(wd_hook_flush(hook_)); }
  /// Saves all remaining data and marks the run as finished. Returns the first error of the
  /// recording; a second call returns the same result.
  Status Close() { return Status::Of(wd_hook_close(hook_)); }

 private:
  template <class T>
  static wd_value ValueOf(const T* data, const Shape& shape) {
    static_assert(DTypeOf<T>() != 0, "unsupported element type");
    return {sizeof(wd_value), data, DTypeOf<T>(), shape.dimensions(), shape.data(), nullptr};
  }

  wd_hook* hook_ = nullptr;
  Status status_;
};

}  // namespace tensorwarden

#endif  // TENSORWARDEN_WARDEN_HOOK_H_
