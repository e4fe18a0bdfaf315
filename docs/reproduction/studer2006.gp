# Figures 5 and 8 of [Studer 2006], see common.gp.

array state[3] = ["stick", "slide", "opening"]
array loads[3] = ["--set Fx=3", "--set Fx=9 --set Mz=0.4", "--set Fx=0 --set Mz=-3.4"]
array label[3] = ["both corners stick", "both corners slide", "left corner opens, right one sticks"]
# Where the plain iteration of nsmc's jor stops to converge: the spectral radius is 1 (jorprox.awk).
array limit[3] = [1.2226, 1.3810, 1.8803]
points = coarse > 1 ? 20 : 77

do for [i = 1:3] {
  do for [solver in "jor sor"] {
    eval sweep("block", sprintf("%s --solver %s --vary omega=0.05:1.95:%d --until 1[ms] --step 1[ms] --measure iterations", loads[i], solver, points), state[i]."_".solver)
  }
}
eval execute(sprintf("awk -f docs/reproduction/jorprox.awk -v nsmc=%s -v what=curve -v n=%d >%s", nsmc, points, csv("paper")))

# --- Figure 5: the estimate (68) of the Lipschitz constant, for the rows of the block's G ------------------------------
eval picture(900, 400, "studer2006_figure5")
set multiplot layout 1,2
set xrange [0:2]; set yrange [0:5]
set xlabel "ω_h"; set ylabel "estimate (68)"
set key inside top left vertical samplen 2
m = 2.1; J = 0.018; l = 0.15; h = 0.05
G11 = 1/m + l**2/J; G12 = 1/m - l**2/J; G23 = l*h/J; G33 = 1/m + h**2/J
array others[2] = [(abs(G12) + 2*G23)/G11, (2*G23 + G33)/G33]
array row[2] = ["Normal rows: strictly diagonally dominant", "Rows of friction: not dominant"]
do for [i = 1:2] {
  set title row[i]
  plot abs(1 - x) with lines lw 1.5 dt 2 lc rgb "#1f4fbf" title "|1 - ω|", \
       others[i]*x with lines lw 1.5 dt 3 lc rgb "#cc1111" title "ω Σ|G_{hk}/G_{hh}|", \
       abs(1 - x) + others[i]*x with lines lw 2 lc rgb "#000000" title "their sum", 1 with lines lc rgb "#999999" notitle
}
unset multiplot

# --- Figure 8 ---------------------------------------------------------------------------------------------------------
eval picture(1080, 420, "studer2006_figure8")
set multiplot layout 1,3
set xrange [0:2]; set yrange [0:300]
set xlabel "ω"; set ylabel "iterations"
set key below samplen 3
do for [i = 1:3] {
  set title label[i]
  set arrow 1 from limit[i], 0 to limit[i], 300 nohead dt 3 lc rgb "#888888"
  plot csv("paper") using (stringcolumn(1) eq state[i] ? column(2) : NaN):3 with lines lw 2 dt 4 lc rgb "#000000" title "JORprox, r = ω/G_{hh}", \
       csv(state[i]."_jor") using "omega":"iterations" with lines lw 2 dt 2 lc rgb "#1f4fbf" title "nsmc: jor", \
       csv(state[i]."_sor") using "omega":"iterations" with lines lw 2 lc rgb "#cc1111" title "nsmc: sor"
}
unset multiplot
unset arrow 1
set output
