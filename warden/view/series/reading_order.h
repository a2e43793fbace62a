#ifndef WARDEN_VIEW_SERIES_READING_ORDER_H_
#define WARDEN_VIEW_SERIES_READING_ORDER_H_

// What makes charts of long runs appear at once: steps from all over the run first, detail later.

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "warden/base/types.h"

namespace warden::view {

// In which order RunSeries reads the steps of a run: those that training writes now, then the
// others from coarse to fine, so that a curve has its shape long before all of it is known. The
// very first step of the run comes first, since it has the tensors in the order of the model. For
// one thread.
class ReadingOrder {
 public:
  // The steps to read, ascending, in place of those that were left.
  void Start(std::vector<Step> steps);
  // A step that has just been written; read before the others.
  void AddNew(Step step) { new_.push_back(step); }

  // A step to read.
  struct Next {
    Step step = 0;
    bool is_new = false;  // From AddNew.
  };
  // The next step; nothing if there is none. A step may come twice.
  std::optional<Next> Take();

  // Whether what is left of Start only adds detail: up to about 64 steps over the whole run were
  // taken.
  bool coarse_is_done() const { return coarse_left_ == 0; }
  bool empty() const { return new_.empty() && next_ == places_.size(); }

 private:
  std::deque<Step> new_;
  std::vector<Step> steps_;
  std::vector<uint32_t> places_;  // Of steps_, in the order of reading.
  size_t next_ = 0;               // In places_.
  size_t coarse_left_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_READING_ORDER_H_
