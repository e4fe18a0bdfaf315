# Is a table what a curve can be drawn from? At least two rows below the header, all with its number of fields, no
# field empty, nan or inf, and no failed run of a sweep. Exit code 1 and a message if not.
BEGIN { FS = "," }
NR == 1 { fields = NF; status = $NF == "status"; next }
NF != fields { printf "%s:%d: %d fields instead of %d\n", FILENAME, NR, NF, fields; bad = 1; exit 1 }
{
  for (i = 1; i <= NF; ++i)
    if ($i == "" || tolower($i) ~ /^[-+]?(nan|inf)$/) { printf "%s:%d: \"%s\"\n", FILENAME, NR, $i; bad = 1; exit 1 }
  if (status && $NF != "ok") { printf "%s:%d: %s\n", FILENAME, NR, $NF; bad = 1; exit 1 }
}
END { if (!bad && NR < 3) { printf "%s: %d rows\n", FILENAME, NR - 1; exit 1 } if (bad) exit 1 }
