#include "network.h"

#include <algorithm>
#include <cmath>

namespace example {

Network::Network(const std::vector<int64_t>& widths, Activation activation, float scale,
                 std::mt19937* random)
    : activation_(activation), hidden_(widths.size() - 1) {
  std::normal_distribution<float> normal(0.0F, 1.0F);
  int64_t inputs = 2;
  for (size_t i = 0; i < widths.size(); ++i) {
    const std::string layer = "fc" + std::to_string(i + 1);
    const auto count = static_cast<size_t>(widths[i] * inputs);
    const auto units = static_cast<size_t>(widths[i]);
    Parameter weight{layer + ".weight",
                     {widths[i], inputs},
                     std::vector<float>(count),
                     std::vector<float>(count)};
    const float spread = scale / std::sqrt(static_cast<float>(inputs));
    for (float& value : weight.value) value = spread * normal(*random);
    parameters_.push_back(std::move(weight));
    parameters_.push_back(
        {layer + ".bias", {widths[i]}, std::vector<float>(units, 0.1F), std::vector<float>(units)});
    inputs = widths[i];
  }
}

Network::Layer Network::LayerAt(size_t index) {
  Parameter& weight = parameters_[2 * index];
  return {&weight, &parameters_[2 * index + 1], weight.shape[1], weight.shape[0]};
}

float Network::Activate(float x) const {
  return activation_ == Activation::kRelu ? std::max(x, 0.0F) : 1 / (1 + std::exp(-x));
}

float Network::Slope(float activated) const {
  if (activation_ == Activation::kRelu) return activated > 0 ? 1 : 0;
  return activated * (1 - activated);
}

void Network::Forward(const Layer& layer, const std::vector<float>& in,
                      std::vector<float>* out) const {
  const auto inputs = static_cast<size_t>(layer.inputs);
  const auto outputs = static_cast<size_t>(layer.outputs);
  const size_t points = in.size() / inputs;
  out->assign(points * outputs, 0);
  for (size_t p = 0; p < points; ++p) {
    for (size_t o = 0; o < outputs; ++o) {
      float sum = layer.bias->value[o];
      for (size_t i = 0; i < inputs; ++i) {
        sum += layer.weight->value[o * inputs + i] * in[p * inputs + i];
      }
      (*out)[p * outputs + o] = sum;
    }
  }
}

std::vector<float> Network::Backward(const Layer& layer, const std::vector<float>& in,
                                     const std::vector<float>& back) {
  const auto inputs = static_cast<size_t>(layer.inputs);
  const auto outputs = static_cast<size_t>(layer.outputs);
  std::fill(layer.weight->gradient.begin(), layer.weight->gradient.end(), 0.0F);
  std::fill(layer.bias->gradient.begin(), layer.bias->gradient.end(), 0.0F);
  std::vector<float> before(in.size());
  for (size_t p = 0; p < in.size() / inputs; ++p) {
    for (size_t o = 0; o < outputs; ++o) {
      const float error = back[p * outputs + o];
      layer.bias->gradient[o] += error;
      for (size_t i = 0; i < inputs; ++i) {
        layer.weight->gradient[o * inputs + i] += error * in[p * inputs + i];
        before[p * inputs + i] += error * layer.weight->value[o * inputs + i];
      }
    }
  }
  return before;
}

float Network::Learn(const std::vector<float>& points, const std::vector<float>& labels) {
  const size_t last = hidden_.size();
  for (size_t i = 0; i < last; ++i) {
    Forward(LayerAt(i), i == 0 ? points : hidden_[i - 1], &hidden_[i]);
    for (float& x : hidden_[i]) x = Activate(x);
  }
  std::vector<float> back;
  Forward(LayerAt(last), last == 0 ? points : hidden_[last - 1], &back);
  const auto count = static_cast<float>(labels.size());
  float loss = 0;
  for (size_t p = 0; p < labels.size(); ++p) {
    const float output = back[p];
    // log(1 + e^x) - label * x, without overflow.
    loss += std::max(output, 0.0F) + std::log1p(std::exp(-std::abs(output))) - labels[p] * output;
    back[p] = (1 / (1 + std::exp(-output)) - labels[p]) / count;
  }
  for (size_t i = last + 1; i-- > 0;) {
    if (i < last) {
      for (size_t k = 0; k < back.size(); ++k) back[k] *= Slope(hidden_[i][k]);
    }
    back = Backward(LayerAt(i), i == 0 ? points : hidden_[i - 1], back);
  }
  return loss / count;
}

void Network::Step(float rate) {
  for (Parameter& p : parameters_) {
    for (size_t i = 0; i < p.value.size(); ++i) p.value[i] -= rate * p.gradient[i];
  }
}

}  // namespace example
