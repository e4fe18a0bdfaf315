# Figure 3 of [Möller 2009], see common.gp; figure 4 is drawn by nsmc plot (plots.sh).

eval run("contensou_disc", "--every 4", "outwards")
eval run("contensou_disc", "--every 4 --set v=1 --set v_rate=0 --set gamma_tau=0 --set gamma_tau_rate=1", "upwards")
eval picture(560, 480, "moeller2009_figure3")
set size ratio -1
set xrange [0:1.1]; set yrange [0:0.75]
set xlabel "|λ_T|/(μ λ_N)"; set ylabel "|λ_τ|/(μ λ_N R)"
set title "Cross-sections of the friction sets"
Rbar = 3*pi/16
$cylinder << EOD
T,tau
0,0.58904862254808623
1,0.58904862254808623
1,0
EOD
set parametric
set trange [0:pi/2]
plot csv("outwards") every 5::1 using "parabolic.T[1]":"parabolic.tau" with lines lw 2 lc rgb "#1f4fbf" title "B_F: forces of nsmc at given velocities", \
     csv("upwards") every 5::1 using "parabolic.T[1]":"parabolic.tau" with lines lw 2 lc rgb "#1f4fbf" notitle, \
     cos(t), Rbar*sin(t) lw 1.5 dt 2 lc rgb "#cc1111" title "E_F (55)", \
     $cylinder using 1:2 with lines lw 1.5 lc rgb "#1a8f3c" title "C_F (54)"
unset parametric
set size noratio

set output
