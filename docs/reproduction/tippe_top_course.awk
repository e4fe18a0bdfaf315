# The course of the Tippe-Top [Leine 2003] from a recording with the columns t, inclination, spin_rate: when it is upright
# (inclination 3), when its spin passes the critical one of the inverted position, how far and when it is highest after
# 2 s, when it is below 3 again, the inclination at 8 s, and when the spin is gone.
BEGIN { FS = "," }
function between(t0, y0, t1, y1, y) { return t0 + (y - y0) * (t1 - t0) / (y1 - y0) }
NR > 2 {
  if (!upright && $2 > 3) upright = between(t, a, $1, $2, 3)
  if (!critical && w > 88.1074 && $3 <= 88.1074) critical = between(t, w, $1, $3, 88.1074)
  if ($1 > 2 && $2 > highest) { highest = $2; when = $1 }
  if (when && !falls && $2 < 3 && a >= 3) falls = between(t, a, $1, $2, 3)
  if ($1 <= 8.0000001) at_8 = $2
  if (upright && !gone && $3 < 1e-6) gone = $1
}
{ t = $1; a = $2; w = $3 }
END {
  printf "upright %.5f, critical spin %.3f, highest %.4f at %.3f, falls %.3f, at 8 s %.4f, spin gone %.2f\n", \
    upright, critical, highest, when, falls, at_8, gone
}
