#ifndef WARDEN_REPORT_PROFILER_ADVICE_H_
#define WARDEN_REPORT_PROFILER_ADVICE_H_

// How "What to do first" of the profiling report is made: each function adds advice with the share
// of time that it may save, and WhatToDoFirst (profiler_sections.h) sorts. Only for this folder.
// Pure functions.

#include <string>
#include <vector>

#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_document.h"

namespace warden::report {

// Advice with what it is sorted by.
struct Ranked {
  double percent = 0;  // Of the time, at most.
  Advice advice;
};
using Found = std::vector<Ranked>;

// With "up to PERCENT of the time" as its gain; percent 0: the gain is not known. section: the id
// of the section with the evidence.
void Add(double percent, std::string title, std::string text, std::string section, Found* found);

// How much of the steps' time, in percent, is spent waiting for the next batch; 0 if it is not
// known. Above kMostlyLoading, loading is the first thing to improve and the likely cause of idle
// GPUs.
double LoadingShare(const ProfilerInputs& inputs);
inline constexpr double kMostlyLoading = 50;

// What rules found about GPUs: their utilization, batch size, balance and memory.
void AddGpuAdvice(const ProfilerInputs& inputs, Found* found);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_ADVICE_H_
