;;; nsm-mode.el --- Models of nsmc  -*- lexical-binding: t; -*-

;; Colours, comments and indentation for .nsm, the language of nsmc, and `nsmc lsp' for eglot:
;;   (load "/path/to/nsm-mode.el")      then M-x eglot in a model
;; tests/unit/api/editor_words_test.cpp holds the words against those of the language.

;;; Code:

(defgroup nsm nil "Models of nsmc." :group 'languages)

(defcustom nsm-program "nsmc" "The program nsmc." :type 'string)

(defconst nsm-declarations
  '("model" "import" "param" "let" "fn" "coord" "velocity" "kinematics" "initial" "kinetic" "potential" "dissipation" "force"
    "mass" "contact" "constraint" "set" "law" "output" "simulate" "body" "gravity" "shape" "joint" "spring" "damper" "torque"
    "draw" "state" "input" "discrete" "table" "when" "every" "stop"))
(defconst nsm-clauses
  '("gap" "slip" "spin" "roll" "restitution" "solve" "on" "at" "along" "turned" "color" "for" "between" "stiffness" "length"
    "angle" "damping" "while" "beyond"))
(defconst nsm-operators '("in" "and" "or" "not" "piecewise" "else" "gauge" "support"))
(defconst nsm-functions
  '("sin" "cos" "tan" "asin" "acos" "atan" "sinh" "cosh" "tanh" "exp" "log" "abs" "sign" "floor" "ceil" "round" "cbrt" "sqrt"
    "atan2" "hypot" "min" "max" "mod" "pow" "dot" "cross" "norm" "transpose" "diag" "identity" "dim" "d" "det" "inverse" "solve" "random"
    "smoothstep" "normal_cone" "sum"))
(defconst nsm-sets
  '("nonneg" "nonpos" "reals" "zero" "interval" "disc" "ball" "box" "ellipse" "ellipsoid" "cylinder" "product" "superellipse"
    "polygon" "intersect" "union" "contensou"))
(defconst nsm-constants
  '("t" "pi" "inf" "energy" "energy_damped" "energy_supplied" "energy_balance" "world"))

(defconst nsm-unit "\\[[^],[]*\\]")

(defvar nsm-font-lock
  `(("\\.\\([[:alpha:]][[:word:]_]*\\)" 1 font-lock-variable-name-face) ; a member, whatever it is called
    (,(concat "\\_<[0-9]+\\(?:\\.[0-9]+\\)?\\(?:[eE][+-]?[0-9]+\\)?\\s-*\\(" nsm-unit "\\)") 1 font-lock-type-face)
    (,(concat "\\_<\\(?:param\\|coord\\|velocity\\|state\\|input\\|discrete\\|output\\)\\s-+[^][ \t\n]+\\s-+\\(" nsm-unit "\\)") 1 font-lock-type-face)
    (,(regexp-opt nsm-declarations 'symbols) . font-lock-keyword-face)
    (,(regexp-opt nsm-clauses 'symbols) . font-lock-builtin-face)
    (,(regexp-opt nsm-operators 'symbols) . font-lock-keyword-face)
    (,(concat (regexp-opt nsm-functions 'symbols) "\\s-*(") 1 font-lock-function-name-face)
    (,(regexp-opt nsm-sets 'symbols) . font-lock-type-face)
    (,(regexp-opt nsm-constants 'symbols) . font-lock-constant-face)))

(defvar nsm-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "." table)
    (modify-syntax-entry ?\" "\"" table)
    table))

(defun nsm-indent-line ()
  "Two blanks for every bracket that is open at the beginning of the line."
  (interactive)
  (let* ((depth (save-excursion
                  (beginning-of-line)
                  (let ((open (car (syntax-ppss))))
                    (skip-chars-forward " \t")
                    (if (looking-at "[])}]") (1- open) open))))
         (behind (- (current-column) (current-indentation))))
    (indent-line-to (* 2 (max 0 depth)))
    (when (> behind 0) (forward-char behind))))

;;;###autoload
(define-derived-mode nsm-mode prog-mode "nsm"
  "Models of nsmc."
  :syntax-table nsm-syntax-table
  (setq-local font-lock-defaults '(nsm-font-lock)
              comment-start "// "
              comment-start-skip "\\(?://+\\|/\\*+\\)\\s-*"
              indent-line-function #'nsm-indent-line
              indent-tabs-mode nil))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.nsm\\'" . nsm-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(nsm-mode . (,nsm-program "lsp"))))

(provide 'nsm-mode)
;;; nsm-mode.el ends here
