"""``python -m lunaflow.cli`` is the ``lunaflow`` command."""

from lunaflow.cli import main

raise SystemExit(main())
