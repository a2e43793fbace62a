import numpy as np
weight_tensor = trial.tensor('gradient/Linear0.weight')
for step in weight_tensor.steps()[-5:]:
    values = weight_tensor.value(step)
    print(f"Step {step}:")
    print(f"  Mean: {np.mean(values):.8f}")
    print(f"  Std:  {np.std(values):.8f}")
    print(f"  Max:  {np.max(np.abs(values)):.8f}")
    print(f"  Min:  {np.min(np.abs(values)):.8f}")
