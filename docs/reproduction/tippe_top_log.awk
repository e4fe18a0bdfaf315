# The story of the Tippe-Top [Leine 2003] from its log of events, as in
#     nsmc run models/tippe_top.nsm --method event --step 1[ms] --events - --quiet | awk -f docs/reproduction/tippe_top_log.awk
# prints when the tip touches, when the head comes down for good (after 2 s), how long it hops, when both stay closed, and
# when the tip leaves.
BEGIN { FS = "," }
$2 == "tip" && $3 == "impact" && !touch { touch = $1 }
$2 == "head" && $3 == "impact" && $1 > 2 && !back { back = $1 }
back && $2 == "head" && $3 == "take_off" { off = $1 }
back && $2 == "head" && $3 == "impact" && off { if (++hops <= 3) hop[hops] = 1e3 * ($1 - off); off = 0 }
back && $3 == "closing" { closed = $1 }
back && $2 == "tip" && $3 == "take_off" { leaves = $1 }
END {
  printf "touches %.5f, back %.4f, hops of %.1f ms, %.1f ms, %.1f ms, closed from %.4f to %.4f\n", \
    touch, back, hop[1], hop[2], hop[3], closed, leaves
}
