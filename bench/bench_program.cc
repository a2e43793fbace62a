#include "bench/bench_program.h"

#include <algorithm>
#include <iostream>

namespace warden::bench {

void Sampler::Add(std::string name, std::function<Measurements()> measure) {
  variants_.push_back({std::move(name), std::move(measure)});
}

void Sampler::AddFlags(CLI::App* app) {
  app->add_flag("--json", json_, "One JSON object for each run");
  app->add_option("VARIANT", names_, "What to measure; none: what the standard input names");
}

int Sampler::Run() const {
  for (const std::string& name : names_) {
    if (!RunOne(name)) return 2;
  }
  if (!names_.empty()) return 0;
  for (std::string name; std::getline(std::cin, name);) {
    if (!RunOne(name)) return 2;
  }
  return 0;
}

bool Sampler::RunOne(std::string_view name) const {
  const auto has_name = [&](const Variant& variant) { return variant.name == name; };
  const auto variant = std::find_if(variants_.begin(), variants_.end(), has_name);
  if (variant == variants_.end()) {
    std::fprintf(stderr, "there is no variant '%.*s', only:", static_cast<int>(name.size()),
                 name.data());
    for (const Variant& known : variants_) std::fprintf(stderr, " %s", known.name.c_str());
    std::fprintf(stderr, "\n");
    return false;
  }
  const Measurements measurements = variant->measure();
  std::printf(json_ ? "{\"name\": \"%s\"" : "%-20s", variant->name.c_str());
  for (const auto& [key, value] : measurements) {
    std::printf(json_ ? ", \"%.*s\": %.9g" : "  %.*s %.6g", static_cast<int>(key.size()),
                key.data(), value);
  }
  std::printf(json_ ? "}\n" : "\n");
  std::fflush(stdout);
  return true;
}

}  // namespace warden::bench
