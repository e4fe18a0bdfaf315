autocmd BufNewFile,BufRead *.nsm setfiletype nsm
