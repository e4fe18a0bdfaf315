# The five events of the Tippe-Top [Leine 2003] from a recording with the columns t, head.gap, tip.gap, inclination, as in
#     nsmc run models/tippe_top.nsm --record 1e-4 --outputs head.gap,tip.gap,inclination -o - --quiet | awk -f docs/reproduction/tippe_top_events.awk
# prints: when the tip touches (gap 0), the head lifts (gap 0.1 mm), the top is upright (inclination 3), the head is
# back (gap 0.1 mm, downwards), the tip leaves (gap 0.1 mm for good). Between rows values are straight lines; the touch
# is where the line through the last two rows above the floor ends, since afterwards the gap stays 0.
BEGIN { FS = "," }
NR == 1 {
  for (i = 1; i <= NF; ++i) column[$i] = i
  if (!("head.gap" in column && "tip.gap" in column && "inclination" in column)) { print "columns are missing"; exit 1 }
  next
}
function between(t0, y0, t1, y1, y) { return t0 + (y - y0) * (t1 - t0) / (y1 - y0) }
{
  time = $1; h = $(column["head.gap"]); g = $(column["tip.gap"]); a = $(column["inclination"])
  if (NR > 3) {
    if (touch == "" && g <= 0) { touch = between(t0[2], g0[2], t0[1], g0[1], 0); if (touch > time) touch = time }
    if (touch != "" && lift == "" && h > 1e-4) lift = between(t0[1], h0[1], time, h, 1e-4)
    if (upright == "" && a > 3) upright = between(t0[1], a0[1], time, a, 3)
    if (lift != "" && back == "" && time > lift + 1 && h < 1e-4) back = between(t0[1], h0[1], time, h, 1e-4)
    if (g > 1e-4 && g0[1] <= 1e-4) leaves = between(t0[1], g0[1], time, g, 1e-4)
  }
  t0[2] = t0[1]; g0[2] = g0[1]
  t0[1] = time; h0[1] = h; g0[1] = g; a0[1] = a
}
END { printf "touches %.5f, lifts %.5f, upright %.5f, back %.5f, leaves %.5f\n", touch, lift, upright, back, leaves }
