# By how much the inclination swings in the last 0.1 s, from a recording with the columns t, inclination: the highest less
# the lowest value after t = 0.9 s.
BEGIN { FS = "," }
NR > 1 && $1 > 0.9 { if (low == "" || $2 < low) low = $2; if ($2 > high) high = $2 }
END { printf "%.5f rad\n", high - low }
