"""The fresh interpreter that measures: ``python -m lunaflow.experiment._child DESCRIPTOR``.

The job comes on standard input; messages go, one JSON line each, to the pipe whose descriptor is
the argument, never to standard output.
"""

import os
import sys

from lunaflow.experiment._measure import Message, measure
from lunaflow.experiment._tagged_json import dumps
from lunaflow.experiment._transport import unpack_job


def main(descriptor: int) -> None:
    """Measure the job on standard input and send what is found to `descriptor`."""
    # what the implementations start must not hold our pipe open
    os.set_inheritable(descriptor, False)
    task, implementations, make = unpack_job(sys.stdin.buffer.read())
    for message in measure(task, implementations, make):
        _send(descriptor, message)
    _send(descriptor, {"message": "done"})


def _send(descriptor: int, message: Message) -> None:
    data = f"{dumps(message)}\n".encode("ascii")
    while data:
        data = data[os.write(descriptor, data) :]


if __name__ == "__main__":
    main(int(sys.argv[1]))
