"""Take out of a results file what tells the machine it was made on: ``scrub.py FILE OUT``."""

import json
import sys
from pathlib import Path
from typing import Any

MACHINE = {
    "boot_time", "command_max_rss", "commit_info", "cpu", "cpu_affinity", "cpu_config",
    "cpu_model_name", "date", "datetime", "executable", "host_name", "hostname", "load_avg",
    "load_avg_1min", "mem_max_rss", "node", "platform", "python_build", "python_compiler",
    "python_executable", "release", "runnable_threads", "uptime",
}  # fmt: skip


def scrubbed(value: Any) -> Any:
    """Return JSON without the fields named above, at any depth, and times to six digits."""
    if isinstance(value, dict):
        return {key: scrubbed(item) for key, item in value.items() if key not in MACHINE}
    if isinstance(value, list):
        return [scrubbed(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


found = json.loads(Path(sys.argv[1]).read_text())
Path(sys.argv[2]).write_text(json.dumps(scrubbed(found), separators=(",", ":")) + "\n")
