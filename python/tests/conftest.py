"""Settings of hypothesis: the same examples in every run of continuous integration, and no measuring of time."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("usual", deadline=None, max_examples=60)
settings.register_profile("ci", settings.get_profile("usual"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "usual")
