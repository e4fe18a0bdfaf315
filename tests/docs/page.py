#!/usr/bin/env python3
"""Does what a page of the documents says, from top to bottom, and compares what comes out with what stands there.

    page.py PAGE --program build/nsmc [--keep FOLDER] [--update]

It works in an empty folder that looks like the source tree with a finished build: `models`, `build`, `docs`, and a `scripts` whose
`run` and `view` build nothing. The blocks of a page, in their order:

    ```nsm title="ball.nsm"       a file: it is written (any language but diff)
    ```diff title="ball.nsm"      a change of it: the lines with - are there, once and together, and become those with +
    ```console                    or any block whose first line begins with "$ ": commands, each with what it prints, if anything
                                  stands below it. They run in one shell. A line "..." stands for any lines
    ```python                     is executed, all on a page in one interpreter; a ```text right after it is what is printed

A command fails exactly if what stands below it speaks of an error. Numbers are compared to the digits that are shown; what is
rounding, and times, are not compared. All other blocks are left alone: examples.cpp looks at the models. With --update what is
printed takes the place of what differs from it; read it before you commit it.
"""
import argparse
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w.]*\w)")
SUMMARY = re.compile(r"^  compiled |^\w+: \d+ runs? in ")  # of a sweep
TIMES = re.compile(r"^  time |" + SUMMARY.pattern)
WORK = re.compile(r"  (accuracy|contacts|iterations) ")  # how many steps and sweeps it took may depend on the processor
ROUNDING = 1e-9
DRAWN_OTHERWISE = {"gallery.md", "reproduction.md"}  # by scripts/gallery and scripts/reproduce


class Block:

    def __init__(self, language, title, line):
        self.language, self.title, self.line, self.lines = language, title, line, []

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks(page):
    found, inside = [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r'^(```+)(\w*)(?: title="([^"]+)")?\s*$', line)
        if inside is None and fence:
            inside = Block(fence[2], fence[3], number)
        elif inside is not None and line.startswith("```"):
            found.append(inside)
            inside = None
        elif inside is not None:
            inside.lines.append(line)
    return found


# What differs between the line that a page shows and the one that was printed.

def shown_digit(number):
    """The value of the last digit that stands there."""
    mantissa, _, exponent = number.partition("e")
    _, _, fraction = mantissa.partition(".")
    return 10.0**(int(exponent or 0) - len(fraction))


def same_number(shown, printed, is_work):
    if shown == printed:
        return True
    a, b = float(shown), float(printed)
    if abs(a) < ROUNDING and abs(b) < ROUNDING:
        return True
    if is_work and abs(a - b) <= 3 + 0.02*abs(a):
        return True
    # Whole numbers count something, and are exact; of the others the last digits may be those of another machine.
    whole = re.fullmatch(r"[-+]?\d+", shown) and re.fullmatch(r"[-+]?\d+", printed)
    return not whole and abs(a - b) <= max(1.01*shown_digit(shown), 1e-7*abs(a))


def same_line(shown, printed):
    if TIMES.search(shown):
        return re.split(r" in | [\d.]+ m?s\b", shown)[0] == re.split(r" in | [\d.]+ m?s\b", printed)[0]
    words = [" ".join(NUMBER.sub("#", line).split()) for line in (shown, printed)]
    numbers = [NUMBER.findall(line) for line in (shown, printed)]
    is_work = WORK.match(shown) is not None
    return words[0] == words[1] and all(same_number(a, b, is_work) for a, b in zip(*numbers))


def matches(shown, printed):
    """Lines against lines; "..." is any number of them."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(matches(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0]) and matches(shown[1:], printed[1:])


def trimmed(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


class Wrong(Exception):
    pass


def compare(shown, printed, what):
    shown, printed = trimmed(shown), trimmed(printed)
    if not any(SUMMARY.search(line) for line in shown):  # a table may stand there alone
        printed = trimmed([line for line in printed if not SUMMARY.search(line)])
    if not matches(shown, printed):
        raise Wrong("\n".join([what, "-- the page shows", *shown, "-- printed was", *printed]))


class Shell:
    """One bash for all commands of a page, so that cd and export stay."""
    END = "nsmc-page-command-ends"

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        self.process.stdin.write(f"{{ {command}\n}} </dev/null\necho \"\n{self.END} $?\"\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(self.END):
                return lines[:-1] if lines and not lines[-1] else lines, int(line.split()[1])
            lines.append(line.rstrip("\n"))
        raise Wrong(f"$ {command}\nended the shell")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def commands(block):
    """Pairs of a command and the lines below it. A command goes on after a backslash."""
    found = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1][0] += "\n" + line
        else:
            found[-1][1].append(line)
    return found


def run_commands(block, shell, update):
    lines = []
    for command, shown in commands(block):
        printed, code = shell.run(command)
        fails = any(re.search(r"\berror\[|\berrors?$|^nsmc: (?!warning)", line) for line in shown)
        if (code != 0) != fails:
            raise Wrong("\n".join([f"$ {command}", f"ended with exit code {code}", *printed]))
        if trimmed(shown):
            try:
                compare(shown, printed, f"$ {command}")
            except Wrong:
                if not update or "..." in shown:
                    raise
                shown = printed
        lines += [f"$ {command}", *shown]
    block.lines = "\n".join(lines).split("\n")


def change(block, file):
    text = file.read_text(encoding="utf-8")
    before = "".join(line[1:] + "\n" for line in block.lines if not line.startswith("+"))
    after = "".join(line[1:] + "\n" for line in block.lines if not line.startswith("-"))
    if text.count(before) != 1:
        raise Wrong(f"these lines stand {text.count(before)} times in {file.name}:\n{before}")
    file.write_text(text.replace(before, after), encoding="utf-8")


def run_python(block, shown, names, page, update):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, f"{page.name}:{block.line}", "exec"), names)
    try:
        compare(shown.lines if shown else [], printed.getvalue().splitlines(), block.text)
    except Wrong:
        if not update or not shown:
            raise
        shown.lines = printed.getvalue().splitlines()


def write_blocks(page, found):
    """The page with its blocks as they are now, which begin where they began."""
    old = page.read_text(encoding="utf-8").splitlines()
    new, at = [], 0
    for block in found:
        new += [*old[at:block.line], *block.lines]
        at = old.index("```", block.line)
    page.write_text("\n".join(new + old[at:]) + "\n", encoding="utf-8")


def look_at_pictures(page, folder):
    """Those in the folder of the page are written by its commands, figures (.svg) and pages (.html, for .webp); none is left over."""
    shown = set(re.findall(rf"\]\({page.stem}/([\w.]+)\)", page.read_text(encoding="utf-8")))
    there = {path.name for path in page.with_suffix("").glob("*")}
    for name in sorted(shown):
        if not (folder / name.replace(".webp", ".html")).is_file():
            raise Wrong(f"{page.name}: no command writes what {name} shows")
    if shown != there:
        raise Wrong(f"{page.name} shows the pictures {sorted(shown)}, there are {sorted(there)}: run scripts/pictures")


def prepare(folder, program):
    for name in ("models", "docs", "python"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build").symlink_to(program.parent)
    (folder / "scripts").mkdir()
    for name in ("run", "view"):
        script = folder / "scripts" / name
        script.write_text(f'#!/bin/sh\nexec "{program}" {name} "$@"\n')
        script.chmod(0o755)


def run_page(page, program, folder, update):
    """How many files, changes, commands and examples there were."""
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "NO_COLOR": "1",
                   "NSMC_CACHE_DIR": str(folder.parent / "cache"), "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "PYTHONHOME"):
        environment.pop(name, None)
    os.environ.update(environment)
    sys.dont_write_bytecode = True
    prepare(folder, program)
    os.chdir(folder)
    has_python = importlib.util.find_spec("nsmc") and importlib.util.find_spec("numpy")
    shell, names, left_out = Shell(folder, environment), {}, 0
    found, count = blocks(page), 0
    try:
        for k, block in enumerate(found):
            try:
                if block.language == "diff" and block.title:
                    change(block, folder / block.title)
                elif block.title:
                    (folder / block.title).write_text(block.text, encoding="utf-8")
                elif block.lines and block.lines[0].startswith("$ "):
                    run_commands(block, shell, update)
                elif block.language == "python" and has_python:
                    after = found[k + 1] if k + 1 < len(found) else None
                    run_python(block, after if after and after.language == "text" else None, names, page, update)
                elif block.language == "python":
                    left_out += 1
                    continue
                else:
                    continue
                count += 1
            except Exception as error:  # an example may fail in any way
                if not isinstance(error, Wrong):
                    error = Wrong("".join(traceback.format_exception_only(type(error), error)))
                raise Wrong(f"{page.relative_to(ROOT)}:{block.line}: {error}") from None
    finally:
        shell.close()
        if update:
            write_blocks(page, found)
    return count, left_out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path, help="where the files of the page stay")
    parser.add_argument("--update", action="store_true", help="write what is printed into the page")
    parser.add_argument("--taking-pictures", action="store_true", help="those that are there may be old")
    given = parser.parse_args()
    page, program = given.page.resolve(), given.program.resolve()
    with tempfile.TemporaryDirectory(prefix="nsmc-page-") as temporary:
        folder = pathlib.Path(temporary) / "tree"
        folder.mkdir()
        keep = given.keep.resolve() if given.keep else None
        try:
            count, left_out = run_page(page, program, folder, given.update)
            if page.name not in DRAWN_OTHERWISE and not (given.update or given.taking_pictures):
                look_at_pictures(page, folder)
        except Wrong as error:
            print(error)
            return 1
        finally:
            os.chdir("/")
            if keep:
                shutil.copytree(folder, keep, symlinks=True, dirs_exist_ok=True)
    if count + left_out == 0:
        print(f"{page} has nothing that can be run")
        return 1
    if left_out:
        print(f"skipped: {left_out} examples of Python, since no package nsmc or no numpy was found; {count} others are right")
    else:
        print(f"{count} blocks are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
