#include "warden/rules/class_source.h"

#include <algorithm>
#include <iterator>

namespace warden::rules {

StepView::Tensors ClassSource::Choose(const StepView::Tensors& inside,
                                      const StepView::Tensors& named) const {
  if (pattern.empty()) return inside;
  if (inside.empty() && !only_inside) return named;
  StepView::Tensors both;
  std::copy_if(named.begin(), named.end(), std::back_inserter(both), [&](TensorView* tensor) {
    return std::find(inside.begin(), inside.end(), tensor) != inside.end();
  });
  return both;
}

ClassSource SourceFrom(const Params& params, const std::string& what) {
  const std::string collection = what + "_collection";
  const bool given = params.Given(collection);
  ClassSource source{
      {.collections = params.List(collection)}, {.patterns = params.List(what)}, given};
  if (!given) source.collection.roles = {what};
  return source;
}

}  // namespace warden::rules
