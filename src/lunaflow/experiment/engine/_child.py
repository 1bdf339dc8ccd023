"""The fresh interpreter: ``python -m lunaflow.experiment.engine._child DESCRIPTOR NOTE``.

The job, and what else the runner asks, comes on standard input; messages go to the pipe whose
descriptor is the first argument, never to standard output. What is being timed is noted in the file
whose descriptor is the second: a message would wake the runner while the clock runs.
"""

import os
import sys
from typing import BinaryIO

from lunaflow.experiment.engine._calls import answer
from lunaflow.experiment.engine._measure import measure
from lunaflow.experiment.engine._parcel import Parts, unpack_parts
from lunaflow.experiment.processes._pipes import send, write_note
from lunaflow.experiment.processes._transport import unpack_job
from lunaflow.experiment.processes.standalone._agent import own_input
from lunaflow.experiment.processes.standalone._frames import read_frame


def main(descriptor: int, note: int) -> None:
    """Do the job on standard input and send what is found to `descriptor`."""
    # what the implementations start must not hold our pipe open
    os.set_inheritable(descriptor, False)
    os.set_inheritable(note, False)
    with own_input() as requests:
        job = read_frame(requests)
        if job is None:
            return
        task, parcel = unpack_job(job)
        parts = unpack_parts(parcel)
        if task is None:
            _serve(requests, descriptor, parts)
            return
        for message in measure(task, parts):
            if message["message"] == "timing":
                write_note(note, message["implementation"])
            else:
                write_note(note, None)
                send(descriptor, message)
    send(descriptor, {"message": "done"})


def _serve(requests: BinaryIO, descriptor: int, parts: Parts) -> None:
    send(descriptor, {"message": "ready"})
    while (header := read_frame(requests)) is not None:
        number, _, name = header.decode("utf-8", "surrogatepass").partition(" ")
        argument = read_frame(requests)
        if argument is None:
            return
        message, payload = answer(parts.implementation(name), argument, parts)
        send(descriptor, {**message, "request": int(number)}, payload)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
