from smdebug.trials import create_trial
trial = create_trial(f's3://{bucket}/debugger-output/{job_name}/debug-output')
print("Available tensors:")
for name in trial.tensor_names()[:20]:
    print(f"  {name}")
loss_tensor = trial.tensor('CrossEntropyLoss_output_0')
steps = loss_tensor.steps()
print(f"\nLoss values across {len(steps)} steps:")
for step in steps[::10]:
    value = loss_tensor.value(step)
    print(f"  Step {step}: {value:.6f}")
