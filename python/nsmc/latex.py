"""The LaTeX document of a model as something that notebooks set."""

import html
import re

_WORDS = {r"\_": "_", r"\&": "&", r"\%": "%", r"\#": "#", r"\$": "$"}


def body(document):
    """What stands between the begin and the end of the document: headings and displayed equations."""
    return document.split(r"\begin{document}", 1)[-1].split(r"\end{document}", 1)[0].strip()


def for_notebooks(document):
    """Headings and displayed equations of the document as HTML with mathematics for MathJax."""
    out = []
    for part in re.split(r"(\\\[.*?\\\])", body(document), flags=re.DOTALL):
        if part.startswith(r"\["):
            out.append("<div>$$" + html.escape(part[2:-2].strip(), quote=False) + "$$</div>")
            continue
        for heading in re.findall(r"\\subsection\*\{(.*)\}", part):
            for written, read in _WORDS.items():
                heading = heading.replace(written, read)
            out.append(f"<div><i>{html.escape(heading)}</i></div>")
    return "\n".join(out)
