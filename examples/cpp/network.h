#ifndef EXAMPLES_CPP_NETWORK_H_
#define EXAMPLES_CPP_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace example {

enum class Activation { kRelu, kSigmoid };

// A network of fully connected layers with two inputs and one output, trained with the logistic
// loss: an example of a program with custom training code.
class Network {
 public:
  struct Parameter {
    std::string name;  // "fc1.weight"
    std::vector<int64_t> shape;
    std::vector<float> value, gradient;
  };
  // Layers fc1, fc2, ... with the given widths; the last one has width 1. Initial weights have a
  // spread of scale / sqrt(number of inputs).
  Network(const std::vector<int64_t>& widths, Activation activation, float scale,
          std::mt19937* random);

  // Returns the mean loss over all points; computes gradients and outputs.
  float Learn(const std::vector<float>& points, const std::vector<float>& labels);
  void Step(float rate);

  std::vector<Parameter>& parameters() { return parameters_; }
  Activation activation() const { return activation_; }
  size_t hidden_layers() const { return hidden_.size(); }
  // Output of the activation of a hidden layer: {points, units}.
  const std::vector<float>& output(size_t layer) const { return hidden_[layer]; }

 private:
  struct Layer {
    Parameter *weight, *bias;
    int64_t inputs, outputs;
  };

  Layer LayerAt(size_t index);
  float Activate(float x) const;
  float Slope(float activated) const;
  void Forward(const Layer& layer, const std::vector<float>& in, std::vector<float>* out) const;
  // Computes the gradient of a layer's input from the gradient of its output.
  static std::vector<float> Backward(const Layer& layer, const std::vector<float>& in,
                                     const std::vector<float>& back);

  Activation activation_;
  std::vector<Parameter> parameters_;  // Weight and bias of each layer.
  std::vector<std::vector<float>> hidden_;
};

}  // namespace example

#endif  // EXAMPLES_CPP_NETWORK_H_
