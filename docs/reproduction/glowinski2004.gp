# Figures 1 to 9 of [Glowinski 2004], see common.gp.

tau = 0.003
eval run("two_masses", sprintf("--method lie --step %g", tau), "lie")
eval execute(sprintf("awk -f docs/reproduction/thin.awk %s >%s", csv("lie"), csv("multipliers")))

exact = "#999999"
first = "#1f4fbf"
second = "#cc1111"

# Figures 1 to 6: the computed curves over the solution; the multipliers are straight lines between these points.
$lambda << EOD
t,one,two
0,1,1
1,1,0
1,-0.5,0
2,0.5,-1
2,-1,1
3,-1,1
3,-0.5,1
4,-0.5,1
EOD
eval picture(900, 900, "glowinski2004_figure1to6")
set xlabel "t"; set xrange [0:4]
set multiplot layout 3,2 title "Two masses with friction, τ = 0.003"
array shade[2] = [first, second]
do for [kind in "v x"] {
  do for [i = 1:2] {
    set ylabel sprintf("%s_%d", kind, i)
    plot csv("lie") every 16 using "t":sprintf("%s%d_exact", kind, i) with lines lw 5 lc rgb exact title "solution", \
         csv("lie") every 8 using "t":sprintf("x%d%s", i, kind eq "v" ? "'" : "") with lines lw 1.5 lc rgb shade[i] title sprintf("figure %d: %s_%d", (kind eq "v" ? 0 : 2) + i, kind, i)
  }
}
set yrange [-1.2:1.2]
do for [i = 1:2] {
  set ylabel sprintf("λ_%d", i)
  plot $lambda using 1:(column(1 + i)) with lines lw 5 lc rgb exact title "solution", \
       csv("multipliers") using "t":sprintf("lambda%d", i) with lines lw 1.5 lc rgb shade[i] title sprintf("figure %d: λ_%d", 4 + i, i)
}
unset multiplot

# Figures 7 to 9: errors in L2 over tau (l2_errors.awk).
eval execute(sprintf("echo tau,V,X,lambda >%s", csv("errors")))
do for [k = 0:(coarse > 1 ? 3 : 9)] {
  eval execute(sprintf("%s run models/two_masses.nsm --method lie --step %.17g --strict --quiet -o - | awk -f docs/reproduction/l2_errors.awk >>%s", nsmc, 0.012*2**(-k/3.0), csv("errors")))
}
eval picture(900, 420, "glowinski2004_figure7to9")
set yrange [*:*]; set xrange [0.001:0.015]
set logscale xy
set xlabel "τ"; set ylabel "error in L²"
set title "Errors of V, X and λ over τ"
plot csv("errors") using "tau":"V" with linespoints pt 7 ps 0.6 lw 1.5 lc rgb first title "figure 7: V", \
     csv("errors") using "tau":"X" with linespoints pt 7 ps 0.6 lw 1.5 lc rgb second title "figure 8: X", \
     csv("errors") using "tau":"lambda" with linespoints pt 7 ps 0.6 lw 1.5 lc rgb "#1a8f3c" title "figure 9: λ", \
     5*x with lines dt 2 lc rgb exact title "τ", 4*sqrt(x) with lines dt 3 lc rgb exact title "√τ"
unset logscale
unset title
set output
