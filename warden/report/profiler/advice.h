#ifndef WARDEN_REPORT_PROFILER_ADVICE_H_
#define WARDEN_REPORT_PROFILER_ADVICE_H_

#include <string>
#include <vector>

#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report.h"

namespace warden::report {

// Advice in the making: what WhatToDoFirst sorts.
struct Ranked {
  double percent = 0;  // Of the time, at most.
  Advice advice;
};
using Found = std::vector<Ranked>;

// With the share of the time as its gain; 0: there is no figure.
void Add(double percent, std::string title, std::string text, std::string section, Found* found);

// How much of the steps' time, in percent, goes into waiting for the next batch; where it is most
// of it, that is the first thing to mend.
double LoadingShare(const ProfilerInputs& inputs);
inline constexpr double kMostlyLoading = 50;

// What rules found about GPUs: their use, batches, balance and memory.
void AddGpuAdvice(const ProfilerInputs& inputs, Found* found);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_ADVICE_H_
