" Models of nsmc. tests/unit/api/editor_words_test.cpp holds the words against those of the language.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax keyword nsmDeclaration model import param let fn coord velocity kinematics initial kinetic potential dissipation force mass
syntax keyword nsmDeclaration contact constraint set law output simulate body gravity shape joint spring damper torque draw
syntax keyword nsmDeclaration state input discrete table when every stop
syntax keyword nsmClause gap slip spin roll restitution solve on at along turned color for between stiffness length angle damping while beyond
syntax keyword nsmOperator in and or not piecewise else gauge support
syntax keyword nsmFunction sin cos tan asin acos atan sinh cosh tanh exp log abs sign floor ceil round cbrt sqrt atan2 hypot min max
syntax keyword nsmFunction mod pow dot cross norm transpose diag identity dim d det inverse solve random smoothstep normal_cone sum
syntax keyword nsmSet nonneg nonpos reals zero interval disc ball box ellipse ellipsoid cylinder product superellipse polygon
syntax keyword nsmSet intersect union contensou
syntax keyword nsmConstant t pi inf energy energy_damped energy_supplied energy_balance world

" What follows a dot is a member, whatever it is called.
syntax match nsmMember /\.\h\w*/
syntax match nsmNumber /\<\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?\>/
" A unit stands behind a number or a vector, and behind the name that a declaration introduces.
syntax match nsmUnit /\%(\d\s*\)\@<=\[[^],[]*\]/
syntax match nsmUnit /\%(\]\s\+\)\@<=\[\s*\%(1\s*\/\)\?\s*[[:alpha:]°µ][^],[]*\]/
syntax match nsmUnit /\%(\<\%(param\|coord\|velocity\|state\|input\|discrete\|output\)\s\+\S\+\s\+\)\@<=\[[^],[]*\]/
syntax match nsmOperator /[∈×∩]/
syntax region nsmString start=/"/ skip=/\\\\\|\\"/ end=/"/ oneline
syntax match nsmComment /\/\/.*$/ contains=nsmTodo
syntax region nsmComment start=/\/\*/ end=/\*\// contains=nsmTodo
syntax keyword nsmTodo TODO FIXME contained

highlight default link nsmDeclaration Keyword
highlight default link nsmClause Statement
highlight default link nsmOperator Operator
highlight default link nsmFunction Function
highlight default link nsmSet Type
highlight default link nsmConstant Constant
highlight default link nsmMember Identifier
highlight default link nsmNumber Number
highlight default link nsmUnit Special
highlight default link nsmString String
highlight default link nsmComment Comment
highlight default link nsmTodo Todo

let b:current_syntax = "nsm"
