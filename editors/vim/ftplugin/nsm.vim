" Models of nsmc: comments, two blanks, layout by nsmc fmt (gq).
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,:// shiftwidth=2 expandtab
setlocal formatprg=nsmc\ fmt\ -
let b:undo_ftplugin = "setlocal commentstring< comments< shiftwidth< expandtab< formatprg<"
