# What docs/reproduction.md claims, for scripts/reproduce. A row of a table that ends with the name of a command (| L3 |)
# states in bold what this command prints; the commands stand below the tables, in blocks of sh, each under `# L3` or
# `# L3, long`. Writes, with tabs between:
#     number   LINE  NAME  the numbers in bold, in order; "< x" is an upper bound
# into standard output and each command into the file `commands`/NAME, or NAME.long.
/^```/ { block = $0 ~ /^```sh/ ; file = ""; next }
block && /^# [A-Z][0-9]+(, long)?$/ {
  name = $2; sub(/,$/, "", name)
  if (name in seen) { printf "docs/reproduction.md:%d: %s a second time\n", NR, name > "/dev/stderr"; exit 1 }
  seen[name] = 1
  file = commands "/" name (/long$/ ? ".long" : "")
  next
}
block && /^$/ { file = "" }
block && file != "" { print > file }
!block && /^\|.*\| [A-Z][0-9]+ \|$/ {
  row = $0
  name = row; sub(/ \|$/, "", name); sub(/.*\| /, "", name)
  numbers = ""
  while (match(row, /\*\*[^*]*\*\*/)) {
    bold = substr(row, RSTART + 2, RLENGTH - 4)
    row = substr(row, RSTART + RLENGTH)
    while (match(bold, /(< )?-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/)) {
      number = substr(bold, RSTART, RLENGTH)
      sub(/< /, "<", number)
      numbers = numbers (numbers == "" ? "" : " ") number
      bold = substr(bold, RSTART + RLENGTH)
    }
  }
  if (numbers == "") { printf "docs/reproduction.md:%d: nothing in bold that %s prints\n", NR, name > "/dev/stderr"; exit 1 }
  printf "%d\t%s\t%s\n", NR, name, numbers
}
