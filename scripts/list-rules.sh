#!/usr/bin/env bash
# Says where each rule of docs/behaviour.md and each scenario is tested, by the names of the tests; exit code 1 if one has no test.
#
#   scripts/list-rules.sh             the table as it stands in docs/testing.md
#   scripts/list-rules.sh L3 S44...   the names of the tests of these
#   scripts/list-rules.sh --check     fails too if the table in docs/testing.md is another one
#   scripts/list-rules.sh --write     puts the table into docs/testing.md
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

page=docs/testing.md
rules=(
    L1 L2 L3 L4 L5 L6  O1 O2 O3 O4  C1 C2 C3 C4 C5 C6  D1 D2 D3 D4 D5 D6
    W1 W2 W3 W4 W5 W6 W7  R1 R2 R3 R4  V1 V2 V3
)
scenarios=(
    S1 S2 S4 S5 S6 S8 S12 S14 S15 S16 S20 S22 S24 S29 S31 S32 S34 S37 S39 S40 S44 S46 S48 S49 S52 S55 S56 S57 S58 S58a S59 S60
    S65 S66 S69 S70 S71 S73 S74 S75 S76 S80 S81 S82 S83 S86 S89 S89b S91 S97 S99 S105 S106 S127 S129
)

# A test is named after what it proves: testL3_WhatIsSeen. Prints "ID FOLDER/CLASS testNAME" for each one.
tests() {
    # shellcheck disable=SC2016  # what stands in the quotes is awk's
    find Tests -name '*Tests.swift' -print0 | sort -z | xargs -0 awk '
        match($0, /func test[A-Za-z0-9]+_[A-Za-z0-9_]*/) {
            name = substr($0, RSTART + 5, RLENGTH - 5)
            id = substr(name, 5)
            sub(/_.*/, "", id)
            place = FILENAME
            sub(/^Tests\//, "", place)
            sub(/\.swift$/, "", place)
            print id, place, name
        }'
}

found=$(mktemp)
table=$(mktemp)
trap 'rm -f "$found" "$table"' EXIT
tests >"$found"

missing=()
for id in "${rules[@]}" "${scenarios[@]}"; do
    if ! grep -q "^$id " "$found"; then missing+=("$id"); fi
done

# rows ID...: for each the files with tests of it.
rows() {
    local id
    for id in "$@"; do
        awk -v id="$id" '
            $1 == id && !seen[$2]++ { order[++files] = $2 }
            END {
                printf "| %s |", id
                for (file = 1; file <= files; file++) {
                    name = order[file]
                    sub(/.*\//, "", name)
                    separator = (file > 1) ? "," : ""
                    printf("%s [%s](../Tests/%s.swift)", separator, name, order[file])
                }
                print " |"
            }' "$found"
    done
}

print_table() {
    echo "| rule | its tests |"
    echo "|---|---|"
    rows "${rules[@]}"
    echo
    echo "| scenario | its tests |"
    echo "|---|---|"
    rows "${scenarios[@]}"
}
print_table >"$table"

begin='<!-- table: scripts/list-rules.sh --write -->'
end='<!-- end of table -->'
case ${1:-} in
    '') cat "$table" ;;
    --check)
        if ! awk -v begin="$begin" -v end="$end" '$0 == end { inside = 0 } inside; $0 == begin { inside = 1 }' "$page" | cmp -s - "$table"; then
            echo "The table in $page is out of date: run scripts/list-rules.sh --write" >&2
            exit 1
        fi
        ;;
    --write)
        awk -v begin="$begin" -v end="$end" -v table="$table" '
            $0 == end { inside = 0 }
            !inside
            $0 == begin { inside = 1; while ((getline line < table) > 0) print line }' "$page" >"$found"
        cat "$found" >"$page"
        ;;
    -*)
        sed -n '4,7s/^# *//p' "$0" >&2
        exit 64
        ;;
    *) for id in "$@"; do awk -v id="$id" '$1 == id { print $1, $2 "." $3 }' "$found"; done ;;
esac

if [[ ${#missing[@]} -gt 0 ]]; then
    echo "No test is named after: ${missing[*]}" >&2
    exit 1
fi
