"""Rule configurations that users of the original bring: every documented one is accepted as the API
has it, and evaluates."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"
RUN = ROOT / "tests" / "golden" / "pt_cnn_mixed" / "trial"

# By rule: its documented example. {run} is a run to compare with.
DOCUMENTED = {
    "DeadRelu": {
        "tensor_regex": ".*relu_output|.*ReLU_output",
        "threshold_inactivity": "1.0",
        "threshold_layer": "50.0",
    },
    "ExplodingTensor": {"tensor_regex": ".*gradient", "only_nan": "False"},
    "PoorWeightInitialization": {
        "activation_inputs_regex": ".*relu_input|.*ReLU_input",
        "threshold": "10.0",
        "distribution_range": "0.001",
        "patience": "5",
        "steps": "10",
    },
    "SaturatedActivation": {
        "tensor_regex": ".*tanh_input|.*sigmoid_input",
        "threshold_tanh_min": "-9.4999",
        "threshold_tanh_max": "9.4999",
        "threshold_sigmoid_min": "-23",
        "threshold_sigmoid_max": "16.99999",
        "threshold_inactivity": "1.0",
        "threshold_layer": "50.0",
    },
    "VanishingGradient": {"threshold": "0.0000001"},
    "WeightUpdateRatio": {
        "num_steps": "100",
        "large_threshold": "10.0",
        "small_threshold": "0.00000001",
        "epsilon": "0.000000001",
    },
    "AllZero": {"tensor_regex": ".*", "threshold": "100"},
    "ClassImbalance": {
        "threshold_imbalance": "10",
        "threshold_misprediction": "0.7",
        "samples": "500",
        "argmax": "False",
        "labels_regex": ".*labels",
        "predictions_regex": ".*predictions",
    },
    "LossNotDecreasing": {
        "tensor_regex": ".*",
        "use_losses_collection": "True",
        "num_steps": "10",
        "diff_percent": "0.1",
        "increase_threshold_percent": "5",
        "mode": "GLOBAL",
    },
    "Overfit": {"tensor_regex": ".*", "start_step": "0", "patience": "1", "ratio_threshold": "0.1"},
    "Overtraining": {"patience_train": "5", "patience_validation": "10", "delta": "0.01"},
    "SimilarAcrossRuns": {"other_trial_0": "{run}", "collection_names": "losses"},
    "StalledTrainingRule": {
        "threshold": "1800",
        "stop_training_on_fire": "True",
        "training_job_name_prefix": "smdebug-stalled-demo",
    },
    "TensorVariance": {
        "collection_names": "weights",
        "max_threshold": "10",
        "min_threshold": "0.00001",
    },
    "UnchangedTensor": {
        "collection_names": "losses",
        "tensor_regex": "",
        "num_steps": "3",
        "rtol": "1e-05",
        "atol": "1e-08",
        "equal_nan": "False",
    },
    "CheckInputImages": {
        "threshold_mean": "0.2",
        "threshold_samples": "500",
        "regex": ".*hybridsequential0_input_0",
        "channel": "1",
    },
    "NLPSequenceRatio": {
        "tensor_regex": ".*embedding0_input_0",
        "token_values": "0",
        "token_thresholds_percent": "50",
    },
    "Confusion": {
        "category_no": "10",
        "labels": "labels",
        "predictions": "predictions",
        "labels_collection": "labels",
        "predictions_collection": "predictions",
        "min_diag": "0.9",
        "max_off_diag": "0.1",
    },
    "FeatureImportanceOverweight": {
        "threshold": "0.8",
        "nfeatures": "3",
        "tensor_regex": ".*feature_importance/weight",
    },
    "TreeDepth": {"depth": "4"},
}
# A tutorial's, with numbers and booleans as Python has them.
TUTORIAL = {
    "LossNotDecreasing": {"collection_names": "losses", "num_steps": 10, "diff_percent": 0.1},
    "Overfit": {"patience": 5, "ratio_threshold": 0.1},
    "VanishingGradient": {"threshold": 0.0000001},
    "ExplodingTensor": {"collection_names": "weights,gradients", "only_nan": False},
    "WeightUpdateRatio": {},
}


def as_the_api_has_them(rules):
    return [
        {"RuleConfigurationName": name, "RuleParameters": {"rule_to_invoke": name, **parameters}}
        for name, parameters in rules.items()
    ]


def evaluate(folder, configurations):
    file = folder / "rules.json"
    file.write_text(json.dumps(configurations).replace("{run}", str(RUN)))
    return subprocess.run(
        [str(WARDEN), "eval", str(RUN), "--rules-file", str(file), "--json"],
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("rules", [DOCUMENTED, TUTORIAL], ids=["documented", "tutorial"])
def test_known_configurations_are_accepted_and_evaluate(rules, tmp_path):
    done = evaluate(tmp_path, {"DebugRuleConfigurations": as_the_api_has_them(rules)})
    assert done.returncode in (0, 3), done.stderr
    reports = {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}
    assert list(reports) == list(rules)
    assert all(rule["status"] != "Error" for rule in reports.values())
    assert reports["VanishingGradient"]["status"] == "IssuesFound"
    assert reports["ExplodingTensor"]["status"] == "NoIssuesFound"
    assert reports["ExplodingTensor"]["coverage"]["tensors"] > 0
    # The same run has no difference from itself.
    assert (
        reports.get("SimilarAcrossRuns", {"status": "NoIssuesFound"})["status"] == "NoIssuesFound"
    )


def test_one_rule_twice_under_two_names(tmp_path):
    two = [
        {
            "RuleConfigurationName": name,
            "RuleParameters": {
                "rule_to_invoke": "StalledTrainingRule",
                "threshold": threshold,
                "training_job_name_prefix": "smdebug-stalled-demo-1700000000",
                "action_json": action,
            },
        }
        for name, threshold, action in [
            (
                "StalledTrainingJobRuleEmail",
                "60",
                r"{\"endpoint\": \"abc@abc.com\", \"name\": \"email\"}",
            ),
            ("StalledTrainingJobRuleStopTraining", "120", r"[{\"name\": \"stoptraining\"}]"),
        ]
    ]
    done = evaluate(tmp_path, two)
    assert done.returncode == 0, done.stderr
    reports = json.loads(done.stdout)["rules"]
    assert [r["parameters"]["threshold"] for r in reports] == ["60", "120"]


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"rule_to_invoke": "VanishingGradiant"}, "unknown rule 'VanishingGradiant'"),
        ({"rule_to_invoke": "TreeDepth", "depth": "deep"}, "TreeDepth: depth is 'deep'"),
        ({"rule_to_invoke": "TreeDepth", "dept": "4"}, "unknown parameter 'dept'"),
        ({"rule_to_invoke": "TensorVariance", "tensor_regex": ".*"}, "TensorVariance: "),
        ({"rule_to_invoke": "AllZero"}, "set collection_names or tensor_regex"),
        ({"rule_to_invoke": "SimilarAcrossRuns"}, "other_trials"),
        (
            {"rule_to_invoke": "NLPSequenceRatio", "token_values": "0,1"},
            "NLPSequenceRatio: ",
        ),
        ({"rule_to_invoke": "ExplodingTensor", "tensor_regex": "("}, "ExplodingTensor: "),
    ],
)
def test_malformed_ones_are_refused_with_the_reason(parameters, message, tmp_path):
    done = evaluate(tmp_path, [{"RuleConfigurationName": "mine", "RuleParameters": parameters}])
    assert done.returncode == 2, done.stdout
    assert message in done.stderr
