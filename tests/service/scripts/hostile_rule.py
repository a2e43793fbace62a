"""Rules that want what is not their own: they try each way out and tell what they got."""

import json
import os
from pathlib import Path

from smdebug.rules import Rule


class Hostile(Rule):
    """Tells its log what it got as soon as there is a loss."""

    def __init__(self, base_trial, **environment):
        super().__init__(base_trial)
        self.own = dict(os.environ)
        os.environ.update({name.upper(): str(value) for name, value in environment.items()})

    def try_all(self):
        # It reads the variables.
        import ways_out

        data, neighbor = ways_out.DATA, ways_out.NEIGHBOR

        def read_own_environment():
            return [name for name, value in self.own.items() if ways_out.SECRET in value]

        def read_other_buckets():
            return [*data.glob("s3/other-bucket/*"), *data.glob(f"s3/*/out/{neighbor}/*")]

        def read_its_agents_folder():
            return [*(data / "jobs").rglob("*"), *Path("/").glob("proc/*/fd/*.json")]

        def change_the_run():
            run = Path(self.base_trial.path)
            list(run.iterdir())  # It may read it.
            (run / "end_of_job.ts").write_text("now")
            return [run]

        ways = (read_own_environment, read_other_buckets, read_its_agents_folder, change_the_run)
        return ways_out.try_all(*ways)

    def invoke_at_step(self, step):
        if not self.base_trial.tensor_names(collection="losses", step=step):
            return False
        for name, got in self.try_all().items():
            print("told", json.dumps([name, got[:200]]))
        return True


class HostileProfiler(Hostile):
    """Leaves what it got as its output, with what the service would like to be without."""

    def invoke_at_step(self, step):
        output = Path(self.base_trial.output_dir)
        (output / "told.json").write_text(json.dumps(self.try_all()))
        (output / "status.json").write_text("mine")
        (output / "firings.jsonl").symlink_to(os.environ["KEYS"])
        (output / "token").symlink_to(Path(os.environ["DATA"], "token"))
        (output / "pages").mkdir()
        (output / "pages/report.html").write_text("<p>report</p>")
        return True
