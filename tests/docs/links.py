#!/usr/bin/env python3
"""Links and pictures of all markdown files of the tree lead to files that are there, and to headings that these have.

    links.py ROOT

Addresses of the web are left alone: tests do not need a network. `links` and `anchors` are what scripts/site takes as well.
"""
import pathlib
import re
import subprocess
import sys
import unicodedata

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
INLINE_CODE = re.compile(r"(`+).+?\1")


def text_lines(text):
    """Pairs of number and line, without the blocks of code."""
    inside = None
    for number, line in enumerate(text.split("\n"), 1):
        fence = re.match(r"\s*(```+|~~~+)", line)
        if inside is None and fence:
            inside = fence[1]
        elif inside is not None:
            if line.strip() == inside:
                inside = None
        else:
            yield number, line


def without_code(line):
    return INLINE_CODE.sub(lambda found: "\0"*len(found[0]), line)


def links(text):
    """Line and target of each link and picture, those of pictures that are links, too."""
    for number, line in text_lines(text):
        for found in LINK.finditer(without_code(line)):
            yield number, found[3]
            for inner in LINK.finditer(found[2]):
                yield number, inner[3]


def rewritten(text, target):
    """The text with target(address) in place of the address of each link and picture."""
    lines = text.split("\n")
    for number, line in text_lines(text):
        places = []

        def collect(shown, start):
            for found in LINK.finditer(shown):
                places.append((start + found.start(3), start + found.end(3)))
                collect(found[2], start + found.start(2))

        collect(without_code(line), 0)
        for begin, end in sorted(places, reverse=True):
            line = line[:begin] + target(line[begin:end]) + line[end:]
        lines[number - 1] = line
    return "\n".join(lines)


def anchor(heading):
    """The name that a heading has on pages: of GitHub, and of the site, which is told to do the same."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    kept = "".join(c for c in heading.strip().lower() if c in " -_" or unicodedata.category(c)[0] in "LN")
    return kept.replace(" ", "-")


def anchors(text):
    found, count = set(), {}
    for _, line in text_lines(text):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            name = anchor(heading[1])
            found.add(f"{name}-{count[name]}" if name in count else name)
            count[name] = count.get(name, 0) + 1
    return found


def is_of_the_web(target):
    return re.match(r"[a-z][a-z+.-]*:", target) is not None


def pages(root):
    """All markdown files that belong to the tree."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True)
    if listed.returncode == 0:
        return [root / name for name in listed.stdout.splitlines() if (root / name).is_file()]
    outside = {"build", "node_modules"}
    return [path for path in root.rglob("*.md") if not any(part in outside or part.startswith("build-") for part in path.relative_to(root).parts)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    checked, dead, known = 0, [], {}
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        for number, target in links(text):
            if is_of_the_web(target):
                continue
            checked += 1
            path, _, heading = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(root)}:{number}: {target}"
            if root != file and root not in file.parents:
                dead.append(f"{where} leads out of the tree")
            elif not file.exists():
                dead.append(f"{where}: there is no such file")
            elif heading and file.suffix == ".md":
                if file not in known:
                    known[file] = anchors(file.read_text(encoding="utf-8"))
                if heading not in known[file]:
                    dead.append(f"{where}: {file.name} has no such heading")
    print(*dead, f"{checked} links, {len(dead)} of them dead", sep="\n")
    return 1 if dead or checked < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
