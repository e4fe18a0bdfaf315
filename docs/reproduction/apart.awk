# How far the inclinations of two recordings (t,inclination) side by side are apart, until 1.36 s and from 1.5 s to 4 s:
#     paste -d, one.csv other.csv | awk -f docs/reproduction/apart.awk
BEGIN { FS = "," }
NR > 1 {
  d = $2 - $4; if (d < 0) d = -d
  if ($1 < 1.36 && d > early) early = d
  if ($1 > 1.5 && $1 < 4 && d > late) late = d
}
END { printf "apart by %.3f until 1.36 s, by %.3f from 1.5 s to 4 s; at %g s: %.4f and %.4f\n", early, late, $1, $2, $4 }
