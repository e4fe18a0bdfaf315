"""What mkdocs is told beyond mkdocs.yml: colours of nsm, headings named as on GitHub, and a search that works from files."""
import json
import pathlib
import re
import sys

import pygments.lexers
from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
from links import anchor  # noqa: E402

# The kinds of the grammar of the editors, and of Pygments; the first that a name begins with.
KINDS = [("comment", Comment), ("string", String), ("constant.numeric", Number), ("constant.other.unit", Name.Constant),
         ("keyword.declaration", Keyword.Declaration), ("keyword.operator", Operator.Word), ("keyword", Keyword),
         ("entity.name", Name.Class), ("support.function", Name.Function), ("support.type", Name.Builtin),
         ("variable", Name.Attribute)]


def kind_of(name):
    return next((kind for begin, kind in KINDS if name.startswith(begin)), Text)


class NsmLexer(Lexer):
    """Models, by the same grammar as editors and pages: editors/vscode/syntaxes/nsm.tmLanguage.json."""
    name, aliases, filenames = "nsm", ["nsm"], ["*.nsm"]
    rules = []

    @classmethod
    def read(cls):
        grammar = json.loads((ROOT / "editors/vscode/syntaxes/nsm.tmLanguage.json").read_text(encoding="utf-8"))

        def collect(patterns):
            for pattern in patterns:
                if "include" in pattern:
                    collect(grammar["repository"][pattern["include"][1:]]["patterns"])
                else:
                    expression = pattern.get("match") or pattern["begin"] + "(?s:.*?)" + pattern["end"]
                    cls.rules.append((re.compile(expression, re.MULTILINE), pattern))

        collect(grammar["patterns"])

    def get_tokens_unprocessed(self, text):
        if not self.rules:
            self.read()
        at = 0
        while at < len(text):
            # The earliest match; of several the first rule, as editors do it.
            found = min(((match.start(), k, match) for k, (rule, _) in enumerate(self.rules) for match in [rule.search(text, at)] if match and match.end() > match.start()),
                        default=None, key=lambda one: one[:2])
            if found is None:
                break
            start, k, match = found
            pattern = self.rules[k][1]
            if start > at:
                yield at, Text, text[at:start]
            if "name" in pattern:
                yield start, kind_of(pattern["name"]), match[0]
            else:
                here = start
                for group, capture in sorted(pattern.get("captures", {}).items(), key=lambda one: int(one[0])):
                    begin, end = match.span(int(group))
                    if begin < here:
                        continue
                    if begin > here:
                        yield here, Text, text[here:begin]
                    yield begin, kind_of(capture["name"]), text[begin:end]
                    here = end
                if here < match.end():
                    yield here, Text, text[here:match.end()]
            at = match.end()
        if at < len(text):
            yield at, Text, text[at:]


def by_name(get):
    return lambda name, **options: NsmLexer(**options) if name == "nsm" else get(name, **options)


# Highlighting asks this module for lexers by their names.
pygments.lexers.get_lexer_by_name = by_name(pygments.lexers.get_lexer_by_name)
for module in [module for name, module in sys.modules.items() if name.startswith("pymdownx")]:
    if hasattr(module, "get_lexer_by_name"):
        module.get_lexer_by_name = by_name(module.get_lexer_by_name)


def slugify(text, separator):
    return anchor(text)


def on_post_page(output, page, config):
    """The search of the theme fetches its index and its worker, which browsers refuse for files: a script has both."""
    base = "../"*page.url.count("/")
    return re.sub(r'(<script src="[^"]*assets/javascripts/bundle)', rf'<script src="{base}search/from_files.js"></script>\1', output, count=1)


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    worker = next(site.glob("assets/javascripts/workers/search.*.min.js")).read_text(encoding="utf-8")
    worker = re.sub(r"//# sourceMappingURL.*", "", worker)
    (site / "search" / "from_files.js").write_text(
        f"var __search = {{ index: Promise.resolve({index}), worker: URL.createObjectURL(new Blob([{json.dumps(worker)}], "
        "{ type: 'text/javascript' })) };\n", encoding="utf-8")
    for map_file in site.rglob("*.map"):
        map_file.unlink()
    for script in [*site.rglob("*.js"), *site.rglob("*.css")]:
        text = script.read_text(encoding="utf-8")
        if "sourceMappingURL" in text:
            script.write_text(re.sub(r"(//|/\*)# sourceMappingURL=[^\s*]*(\s*\*/)?", "", text), encoding="utf-8")
