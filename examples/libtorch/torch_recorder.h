#ifndef EXAMPLES_LIBTORCH_TORCH_RECORDER_H_
#define EXAMPLES_LIBTORCH_TORCH_RECORDER_H_

#include <torch/torch.h>
#include <warden/hook.h>

#include <string>
#include <utility>

namespace example {

// Saves the tensors of a libtorch module under the names of the PyTorch hook: "Net_fc1.weight",
// "gradient/Net_fc1.weight", "fc1_output_0". Saves only what a collection includes. Copy this file
// into your program. It is inline because libtorch's headers take half a minute to compile.
class TorchRecorder {
 public:
  // root: class name of the model. Gradients are saved when backward computes them. hook and module
  // must outlive this object, and this object must outlive the last backward call.
  TorchRecorder(std::string root, torch::nn::Module* module, tensorwarden::Hook* hook)
      : root_(std::move(root)), module_(module), hook_(hook) {
    for (const auto& item : module_->named_parameters()) {
      const std::string name = "gradient/" + root_ + "_" + item.key();
      item.value().register_hook(
          [this, name](const torch::Tensor& gradient) { Save(name, gradient); });
    }
  }
  TorchRecorder(const TorchRecorder&) = delete;
  TorchRecorder& operator=(const TorchRecorder&) = delete;

  // Saves the parameters. Call it at the beginning of a step, before the optimizer changes them.
  void SaveParameters() {
    for (const auto& item : module_->named_parameters()) {
      Save(root_ + "_" + item.key(), item.value());
    }
  }

  // Saves the output of a layer or loss, and returns it.
  torch::Tensor SaveOutput(const std::string& layer, torch::Tensor output) {
    Save(layer + "_output_0", output);
    return output;
  }

 private:
  void Save(const std::string& name, const torch::Tensor& tensor) {
    if (!hook_->Wants(name)) return;
    const torch::Tensor dense = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    (void)hook_->Save(name, dense.data_ptr<float>(), {dense.sizes().data(), dense.sizes().size()});
  }

  const std::string root_;
  torch::nn::Module* const module_;
  tensorwarden::Hook* const hook_;
};

}  // namespace example

#endif  // EXAMPLES_LIBTORCH_TORCH_RECORDER_H_
