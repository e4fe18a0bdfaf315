// The files for vim and Emacs do what they say, where these editors are.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { folder, program } from "./client.mjs";

const editors = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../editors");
const missing = (name) => (spawnSync(name, ["--version"]).error ? `there is no ${name}` : false);
const model = `// a remark
param m = 2 [kg] "mass"
contact floor {
  gap z
  slip floor.gap + sin(t)
}
`;

test("vim", { skip: missing("vim") }, (t) => {
  const files = folder(t, { "a.nsm": model });
  // The groups at some places, line and column.
  const places = [[1, 4], [2, 1], [2, 11], [2, 14], [2, 19], [4, 3], [5, 14], [5, 20], [5, 24]];
  const look = places.map(([line, column]) => `synIDattr(synID(${line},${column},1),'name')`).join(",");
  const { status, stderr } = spawnSync("vim", ["-Nu", "NONE", "-es", "-c", `set rtp^=${editors}/vim encoding=utf-8`, "-c", "filetype plugin on", "-c", "syntax on", "-c", `edit ${files.path("a.nsm")}`,
    "-c", `call writefile([&filetype, &commentstring, ${look}], '${files.path("out")}')`, "-c", "qa!"]);
  assert.equal(status, 0, String(stderr));
  assert.deepEqual(readFileSync(files.path("out"), "utf8").trim().split("\n"),
    ["nsm", "// %s", "nsmComment", "nsmDeclaration", "nsmNumber", "nsmUnit", "nsmString", "nsmClause", "nsmMember", "nsmFunction", "nsmConstant"]);
});

test("Emacs", { skip: missing("emacs") }, (t) => {
  const files = folder(t, { "a.nsm": model, "crooked.nsm": "contact floor {\ngap z\n}\n" });
  const lisp = `(progn
    (setq nsm-program ${JSON.stringify(program)})
    (load ${JSON.stringify(path.join(editors, "emacs/nsm-mode.el"))} nil t)
    (find-file ${JSON.stringify(files.path("a.nsm"))})
    (font-lock-ensure)
    (princ (format "%s" major-mode))
    (dolist (word '("a remark" "param" "kg" "mass" "gap z" "gap +" "sin" "t)"))
      (goto-char (point-min)) (search-forward word)
      (princ (format " %s" (get-text-property (match-beginning 0) 'face))))
    (find-file ${JSON.stringify(files.path("crooked.nsm"))})
    (indent-region (point-min) (point-max))
    (princ (concat "|" (buffer-string)))
    (when (require 'eglot nil t) (princ (format "|%s" (cdr (assoc 'nsm-mode eglot-server-programs))))))`;
  const { status, stdout, stderr } = spawnSync("emacs", ["--batch", "--eval", lisp], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const [faces, text, server] = stdout.split("|");
  assert.equal(faces, "nsm-mode font-lock-comment-face font-lock-keyword-face font-lock-type-face font-lock-string-face font-lock-builtin-face font-lock-variable-name-face font-lock-function-name-face font-lock-constant-face");
  assert.equal(text, "contact floor {\n  gap z\n}\n");
  if (server !== undefined) assert.equal(server, `(${program} lsp)`);
});
