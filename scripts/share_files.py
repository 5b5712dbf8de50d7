"""Let the profiles that ship hold each file once: one that another profile holds already is named by that profile.

A profile may name files of those of its own distribution that come before it, of the package ``samewise`` and, for the
benchmark twins, of ``samewise-best``, which the twin of ``best`` needs anyway. Run after a profile was trained.
"""

import json
import sys
from pathlib import Path

from samewise.models.bundle import dumps
from samewise.models.manifest_shape import MANIFEST, PROFILE
from samewise.models.profiles import ALL_PROFILES, BEST, PROFILES, profile_folder

TWIN_OF_BEST = f"{BEST}-stsb"


def may_read(profile: str, owner: str) -> bool:
    """Return whether a profile may name files of another one, whose distribution is installed wherever its own is."""
    same = profile_folder(profile).parent == profile_folder(owner).parent
    return same or owner in PROFILES or (profile, owner) == (TWIN_OF_BEST, BEST)


def main() -> None:
    """Print a line for each file that is removed."""
    owners: dict[tuple[str, str], list[str]] = {}
    for profile in ALL_PROFILES:
        path = profile_folder(profile) / MANIFEST
        manifest = json.loads(path.read_text(encoding="utf-8"))
        for name, fact in manifest["files"].items():
            key = name, fact["sha256"]
            owner = next((each for each in owners.get(key, ()) if may_read(profile, each)), None)
            file = Path(path.parent, name)
            if owner is None:
                if not file.exists():
                    sys.exit(f"{name} of {profile} must be that of {fact[PROFILE]}, got another one; train it again")
                fact.pop(PROFILE, None)
                owners.setdefault(key, []).append(profile)
            else:
                fact[PROFILE] = owner
                if file.exists():
                    file.unlink()
                    print(f"{profile}: {name} is that of {owner}")
        path.write_text(dumps(manifest), encoding="utf-8")


if __name__ == "__main__":
    main()
