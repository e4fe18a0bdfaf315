# What the scripts of all papers share. scripts/reproduce sets, before it loads this file and one of them:
#     nsmc    the program
#     here    the folder to write pictures to, with a / at its end
#     work    a folder for nsmc's output
#     coarse  1, or a factor by which steps may be larger, to see quickly whether the scripts work
# `eval run(model, options, file)` simulates a model of models/ into the file that csv(file) names, and ends the script
# if nsmc fails or a step does not converge; sweep() makes a table, attempt() allows a run that ends early.
# Whatever gnuplot complains about (data without valid points, say) is a failure for scripts/reproduce.

csv(file) = sprintf("%s/%s.csv", work, file)
execute(command) = sprintf("system \"%s\"; if (GPVAL_SYSTEM_ERRNO) { exit status 1 }", command)
run(model, options, file) = execute(sprintf("%s run models/%s.nsm %s --strict --quiet -o %s", nsmc, model, options, csv(file)))
sweep(model, options, file) = execute(sprintf("%s sweep models/%s.nsm %s --strict --quiet -o %s", nsmc, model, options, csv(file)))
attempt(model, options, file) = sprintf("system \"%s run models/%s.nsm %s --quiet -o %s 2>/dev/null || test $? = 3\"; if (GPVAL_SYSTEM_ERRNO) { exit status 1 }", nsmc, model, options, csv(file))
picture(width, height, name) = sprintf("set terminal svg size %d,%d font 'sans,12' background '#ffffff'; set output '%s%s.svg'", width, height, here, name)

set encoding utf8
set datafile separator ","
set datafile columnheaders
set grid lc rgb "#dddddd"
set samples 200
set key below samplen 2 height 0.8
