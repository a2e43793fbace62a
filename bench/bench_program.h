#ifndef WARDEN_BENCH_BENCH_PROGRAM_H_
#define WARDEN_BENCH_BENCH_PROGRAM_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::bench {

// What one run of a variant gave: "seconds", and whatever else it has to tell.
using Measurements = std::vector<std::pair<std::string_view, double>>;

// The things a program can measure, by name. Whoever asks decides on the order and the number of
// runs, so that runs of several programs can alternate.
class Sampler {
 public:
  void Add(std::string name, std::function<Measurements()> measure);

  // The flags that all programs have. The sampler outlives the parsing.
  void AddFlags(CLI::App* app);

  // Measures the variants that the command line names once each, in that order; without any, those
  // that the lines of the standard input name, as they come. Prints one line for each run: JSON, or
  // for people. Returns the exit code.
  int Run() const;

 private:
  struct Variant {
    std::string name;
    std::function<Measurements()> measure;
  };

  bool RunOne(std::string_view name) const;

  std::vector<Variant> variants_;
  std::vector<std::string> names_;
  bool json_ = false;
};

template <class Work>
double Seconds(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Keeps the compiler from leaving out what leads to the value.
template <class T>
void Use(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// A benchmark that fails has nothing to tell: these end the program.
inline void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::exit(1);
}
template <class T>
T Require(Result<T> result) {
  Require(result.status());
  return std::move(result).value();
}

}  // namespace warden::bench

#endif  // WARDEN_BENCH_BENCH_PROGRAM_H_
