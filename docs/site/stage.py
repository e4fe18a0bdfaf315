#!/usr/bin/env python3
"""Copies the documents to a folder from which mkdocs makes the site.

    stage.py ROOT FOLDER

The folder has the pages that can be reached from README.md, at the places that they have in the tree, so that their links stay as they are. What
is no page becomes one: models and other sources with their colours, notebooks, lists of folders.
"""
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "docs"))
from links import is_of_the_web, rewritten  # noqa: E402

PICTURES = {".svg", ".webp", ".png"}
LANGUAGES = {".nsm": "nsm", ".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".g4": "antlr", ".json": "json", ".js": "js", ".ts": "ts"}


def notebook(path):
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        printed = "".join(line for output in cell.get("outputs", []) for line in output.get("text", []))
        if printed:
            parts.append(f"```text\n{printed}```")
    return "\n\n".join(parts) + "\n"


def source(path, name):
    text = path.read_text(encoding="utf-8")
    fence = "````" if "```" in text else "```"
    return f"# {name}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}{fence}\n"


def folder(path, name):
    entries = sorted(entry.name + "/"*entry.is_dir() for entry in path.iterdir() if not entry.name.startswith("."))
    return f"# {name}\n\n" + "".join(f"- [{entry}]({entry})\n" for entry in entries)


class Stage:

    def __init__(self, root, out):
        self.root, self.out, self.pages = root, out, {}

    def place(self, path):
        """Where the page of a file or folder of the tree is, relative to the root."""
        name = path.relative_to(self.root)
        if path.is_dir():
            return name / ("README.md" if (path / "README.md").is_file() else "CONTENTS.md")
        return name if path.suffix == ".md" or path.suffix in PICTURES else name.with_name(name.name + ".md")

    def text(self, path):
        name = path.relative_to(self.root).as_posix()
        if path.is_dir():
            return folder(path, name)
        if path.suffix == ".md":
            return path.read_text(encoding="utf-8")
        return notebook(path) if path.suffix == ".ipynb" else source(path, name)

    def add(self, path):
        """Takes a file or folder, with all that it leads to."""
        waiting = [path]
        while waiting:
            path = waiting.pop()
            place = self.place(path)
            if place in self.pages:
                continue
            if path.is_dir() and (path / "README.md").is_file():
                path = path / "README.md"
            to = self.out / place
            to.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in PICTURES:
                self.pages[place] = path
                shutil.copyfile(path, to)
                continue
            self.pages[place] = path
            base = path if path.is_dir() else path.parent
            found = []

            def target(address):
                if is_of_the_web(address) or address.startswith("#"):
                    return address
                name, mark, heading = address.partition("#")
                file = (base / name).resolve()
                if not file.exists() or self.root not in [file, *file.parents]:
                    raise SystemExit(f"{path}: {address} leads nowhere")
                found.append(file)
                return pathlib.PurePath(os.path.relpath(self.root / self.place(file), base)).as_posix() + mark + heading

            to.write_text(rewritten(self.text(path), target), encoding="utf-8")
            waiting += found


def main():
    root, out = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    stage = Stage(root, out)
    stage.add(root / "README.md")
    navigation = (root / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    for page in [*sorted((root / "docs").glob("*.md")), *sorted((root / "docs" / "howto").glob("*.md"))]:
        stage.add(page)
        if f": {page.relative_to(root).as_posix()}\n" not in navigation:
            raise SystemExit(f"docs/site/mkdocs.yml: the navigation lacks {page.relative_to(root)}")
    for name in ("site.css", "favicon.svg"):
        (out / "docs" / "site").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / "docs" / "site" / name, out / "docs" / "site" / name)
    print(f"{len(stage.pages)} pages and pictures")


if __name__ == "__main__":
    main()
