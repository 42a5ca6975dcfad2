"""An image built and run without Docker: its commands over a copy of this machine's files.

The machine stands for the base. An overlay takes what the commands write, in a mount namespace of
its own, so that their absolute paths are those of the image. It takes root on Linux.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

__all__ = ["Image", "build", "instructions", "is_possible", "sent_files"]

ROOT = Path(__file__).parent.parent.parent
PYTHON = Path(sys.base_prefix, "bin")
"""Where the base has its Python."""

# The first argument is the folder of the image: of what was written, and of where it is mounted.
ENTER = """
set -e
image=$1; shift
mount -t overlay overlay -o "lowerdir=/,upperdir=$image/written,workdir=$image/work" "$image/root"
mount --bind /proc "$image/root/proc"
mount --bind /dev "$image/root/dev"
"""
BUILD = ENTER + 'exec chroot "$image/root" "$@"'
# As `docker run --read-only --network none` with one folder of the host at /work: the machine's
# temporary folders are out of sight, and its Python may lie where only root may look.
RUN = (
    ENTER
    + """
mount -t tmpfs -o ro none "$image/root/tmp"
mount -t tmpfs -o ro none "$image/root/var/tmp"
mount -t tmpfs -o ro none "$image/root/dev/shm"
mount --bind "$image/host" "$image/root/work"
for folder in $OPEN; do chmod o+x "$image/root$folder"; done
mount -o remount,ro,bind "$image/root"
exec chroot "$image/root" setpriv --reuid 10001 --regid 10001 --clear-groups "$@"
"""
)


def is_possible() -> bool:
    """Whether this machine lets its tests mount what they need."""
    needed = ("unshare", "setpriv", "chroot", "mount")
    return sys.platform == "linux" and os.getuid() == 0 and all(map(shutil.which, needed))


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the instructions of a Dockerfile, each with its words, in one line."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if line.strip():
            name, _, words = line.strip().partition(" ")
            yield name, words.strip()


def sent_files(ignored: str, names: Sequence[str]) -> list[str]:
    """Return which files a .dockerignore leaves of a checkout: the last line that fits decides."""
    rules = [line for line in ignored.splitlines() if line and not line.startswith("#")]

    def is_sent(name: str) -> bool:
        parts = Path(name).parts
        above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        kept = True
        for rule in rules:
            pattern = rule.lstrip("!").removeprefix("**/")
            anywhere = rule.lstrip("!").startswith("**/")
            if any(fnmatch(part, pattern) for part in (parts if anywhere else above)):
                kept = rule.startswith("!")
        return kept

    return [name for name in names if is_sent(name)]


@dataclass
class Image:
    """An image that is built or being built.

    Parameters
    ----------
    folder : where its files are.
    variables : its environment, and the arguments of its build.
    workdir : the folder its commands run in.
    settings : the words of LABEL, USER, ENTRYPOINT and CMD.
    """

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    settings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("written", "work", "root", "host"):
            (self.folder / name).mkdir(parents=True)

    @property
    def written(self) -> Path:
        """What the commands wrote, as it lies in the image."""
        return self.folder / "written"

    def command(self, script: str) -> None:
        """Run a command of the build, by the shell, as root."""
        words = f"mkdir -p {self.workdir} && cd {self.workdir} && {script}"
        done = self._enter(BUILD, ["/bin/sh", "-c", words], self.variables)
        assert done.returncode == 0, done.stdout

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the image as a stranger may: no network, no right to write but in /work."""
        (self.written / "work").mkdir(exist_ok=True)
        script = 'cd /work && exec "$@"'
        entry = ["/bin/sh", "-c", script, "sh", "biaspipe", *words]
        opened = {"OPEN": " ".join(map(str, [*PYTHON.parents][:-1]))}
        return self._enter(RUN, entry, {**self.variables, **more, **opened}, "--net")

    def _enter(
        self, script: str, words: Sequence[str], variables: Mapping[str, str], *flags: str
    ) -> subprocess.CompletedProcess[str]:
        command = ["unshare", "--mount", *flags, "sh", "-c", script, "sh", str(self.folder), *words]
        environment = {**variables, "PATH": self.path}
        return subprocess.run(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )

    @property
    def path(self) -> str:
        """The folders of programs: those of the image, and those of the machine."""
        return self.variables.get("PATH", f"{PYTHON}:/usr/sbin:/usr/bin:/sbin:/bin")


def build(text: str, context: Path, folder: Path, arguments: Mapping[str, str]) -> Image:
    """Carry out the instructions of a Dockerfile.

    Parameters
    ----------
    text : the Dockerfile.
    context : the files that it may copy.
    folder : where the image is made; each stage has a folder of its own in it.
    arguments : values of its ARGs.
    """
    stages: dict[str, Image] = {}
    image = None
    for name, words in instructions(text):
        if name == "FROM":
            stage = re.search(r" AS (\w+)", words)
            image = Image(folder / (stage[1] if stage else "final"))
            stages[image.folder.name] = image
        elif image is not None:
            _carry_out(image, name, words, stages, context, arguments)
    assert image is not None
    return image


def _carry_out(  # noqa: PLR0913, PLR0917 - what an instruction may need
    image: Image,
    name: str,
    words: str,
    stages: Mapping[str, Image],
    context: Path,
    arguments: Mapping[str, str],
) -> None:
    match name:
        case "ARG":
            key, _, default = words.partition("=")
            image.variables[key] = arguments.get(key, default.strip('"'))
        case "ENV":
            for pair in shlex.split(words):
                key, _, value = pair.partition("=")
                image.variables[key] = value.replace("${PATH}", image.path)
        case "WORKDIR":
            image.workdir = words
        case "COPY":
            stage = re.match(r"--from=(\w+) ", words)
            *sources, to = words.removeprefix(stage[0] if stage else "").split()
            for source in sources:
                start = stages[stage[1]].written if stage else context
                _copy(start / source.lstrip("/"), image, to)
        case "RUN":
            image.command(words)
        case _:
            image.settings[name] = words


def _copy(source: Path, image: Image, to: str) -> None:
    """Copy a file into a folder of the image, or what a folder holds."""
    target = image.written / Path(image.workdir, to).as_posix().lstrip("/")
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    else:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
