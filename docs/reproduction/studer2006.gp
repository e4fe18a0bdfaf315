# Figure 8 of [Studer 2006], see common.gp.

sweep(state, loads) = sprintf("system '%s sweep models/block.nsm %s --list solver=jor,sor --vary omega=0.05:1.95:%d --until 1[ms] --step 1[ms] --measure iterations --quiet -o %s'; if (GPVAL_SYSTEM_ERRNO) { exit status 1 }", nsmc, loads, coarse > 1 ? 20 : 77, csv(state))

array state[3] = ["stick", "slide", "opening"]
array loads[3] = ["--set Fx=3", "--set Fx=9 --set Mz=0.4", "--set Fx=0 --set Mz=-3.4"]
array label[3] = ["both corners stick", "both corners slide", "left corner opens, right one sticks"]
# Where the plain iteration of jor stops to converge: the spectral radius is 1.
array limit[3] = [1.2226, 1.3810, 1.8803]
do for [i = 1:3] { eval sweep(state[i], loads[i]) }

eval picture(1080, 400, "studer2006_figure8")
set multiplot layout 1,3
set xrange [0:2]; set yrange [0:300]
set xlabel "ω"; set ylabel "iterations"
set key top center samplen 3
# For a solver's rows only.
of(solver, x) = stringcolumn("solver") eq solver ? x : NaN
do for [i = 1:3] {
  set title label[i]
  set arrow 1 from limit[i], 0 to limit[i], 300 nohead dt 3 lc rgb "#888888"
  plot csv(state[i]) using (of("jor", column("omega"))):"iterations" with lines lw 2 dt 2 lc rgb "#1f4fbf" title "jor", \
       csv(state[i]) using (of("sor", column("omega"))):"iterations" with lines lw 2 lc rgb "#cc1111" title "sor"
}
unset multiplot
