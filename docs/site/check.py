#!/usr/bin/env python3
"""Looks at a built site: every link between its pages leads to a file and a heading that are there, and nothing is loaded from elsewhere.

    check.py FOLDER
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src"}


class Page(html.parser.HTMLParser):

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("id"):
            self.ids.add(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given["href"])
        if given.get(LOADED.get(tag)):
            self.loaded.append(given[LOADED[tag]])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in root.rglob("*.html") if path.name != "404.html"}
    wrong, count = [], 0
    for path, page in pages.items():
        here = path.relative_to(root)
        for address in page.links + page.loaded:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loaded and parts.scheme != "data":
                    wrong.append(f"{here} loads {address}")
                continue
            count += 1
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not file.is_file():
                wrong.append(f"{here}: {address} is not there")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].ids:
                wrong.append(f"{here}: {address}: there is no such heading")
    for style in root.rglob("*.css"):
        wrong += [f"{style.relative_to(root)} loads {found}" for found in re.findall(r"url\([\"']?(https?:[^)]*)", style.read_text(encoding="utf-8"))]
    print(*sorted(set(wrong)), f"{root}: {len(pages)} pages, {count} links, {len(set(wrong))} of them dead or from elsewhere", sep="\n")
    return 1 if wrong or len(pages) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
