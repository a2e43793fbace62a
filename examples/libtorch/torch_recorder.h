#ifndef EXAMPLES_LIBTORCH_TORCH_RECORDER_H_
#define EXAMPLES_LIBTORCH_TORCH_RECORDER_H_

#include <torch/torch.h>
#include <warden/hook.h>

#include <string>
#include <utility>

namespace example {

// Saves what a libtorch module has, by the names that the hook for PyTorch gives: "Net_fc1.weight",
// "gradient/Net_fc1.weight", "fc1_output_0". All of it only where a collection asks for it. To be
// copied into programs; inline, for libtorch's headers take half a minute to compile.
class TorchRecorder {
 public:
  // root: the model's class. Gradients are saved as backward computes them. hook and module outlive
  // this, and this outlives the last backward.
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

  // Before the step changes them: to be called when it has begun.
  void SaveParameters() {
    for (const auto& item : module_->named_parameters()) {
      Save(root_ + "_" + item.key(), item.value());
    }
  }

  // What a layer or a loss has put out; passes it on.
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
