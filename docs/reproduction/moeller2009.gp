# Figures 3 and 4 of [Möller 2009], see common.gp.

eval run("contensou_disc", "--every 10", "outwards")
eval run("contensou_disc", "--every 10 --set v=1 --set v_rate=0 --set gamma_tau=0 --set gamma_tau_rate=1", "upwards")
eval picture(560, 480, "moeller2009_figure3")
set size ratio -1
set xrange [0:1.1]; set yrange [0:0.75]
set xlabel "|λ_T|/(μ λ_N)"; set ylabel "|λ_τ|/(μ λ_N R)"
set title "Cross-sections of the friction sets"
Rbar = 3*pi/16
set parametric
set trange [0:pi/2]
set arrow 1 from 0,Rbar to 1,Rbar nohead lw 1.5 lc rgb "#1a8f3c"
set arrow 2 from 1,0 to 1,Rbar nohead lw 1.5 lc rgb "#1a8f3c"
plot csv("outwards") every ::1 using "parabolic.T[1]":"parabolic.tau" with lines lw 2 lc rgb "#1f4fbf" title "B_F: forces of nsmc at given velocities", \
     csv("upwards") every ::1 using "parabolic.T[1]":"parabolic.tau" with lines lw 2 lc rgb "#1f4fbf" notitle, \
     cos(t), Rbar*sin(t) lw 1.5 dt 2 lc rgb "#cc1111" title "E_F (55)", \
     NaN, NaN lw 1.5 lc rgb "#1a8f3c" title "C_F (54)"
unset parametric
unset arrow 1; unset arrow 2
set size noratio

step = sprintf("--step %g --record 4e-3 --outputs inclination", 2.5e-5*coarse)
eval run("tippe_top", step, "ball")
eval run("tippe_top_ellipsoid", step, "ellipsoid")
eval run("tippe_top_cylinder", step, "cylinder")
eval picture(800, 420, "moeller2009_figure4")
set xrange [0:8]; set yrange [0:3.3]
set ytics ("0" 0, "π/4" pi/4, "π/2" pi/2, "3π/4" 3*pi/4, "π" pi)
set xlabel "t [s]"; set ylabel "θ"
set title "Inclination of the Tippe-Top"
plot csv("ball") using "t":"inclination" with lines lw 1.5 lc rgb "#1f4fbf" title "B_F", \
     csv("ellipsoid") using "t":"inclination" with lines lw 1.5 lc rgb "#cc1111" title "E_F", \
     csv("cylinder") using "t":"inclination" with lines lw 1.5 dt 2 lc rgb "#1a8f3c" title "C_F"
set output
