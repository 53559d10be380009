#!/usr/bin/env bash
# Says which module a source file imports although its place in the house does not allow it; exit code 1 if there is any.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Prints "FILE:LINE MODULE" for each import below a folder; attributes, access levels, `import struct M.T` and `import M.N` included.
imports() {
    # shellcheck disable=SC2016  # what stands in the quotes is awk's
    find "$1" -name '*.swift' -print0 | sort -z | xargs -0 awk '
        /^[[:space:]]*((@[A-Za-z_]+(\([^)]*\))?|public|package|internal|fileprivate|private)[[:space:]]+)*import[[:space:]]/ {
            line = $0
            sub(/^.*import[[:space:]]+((typealias|struct|class|enum|protocol|let|var|func|actor)[[:space:]]+)?/, "", line)
            sub(/[.[:space:];\/].*$/, "", line)
            print FILENAME ":" FNR " " line
        }'
}

# refuse FOLDER ALLOWED...: an entry FILE=MODULE allows the module in that one file.
refuse() {
    local folder=$1 place module allowed entry
    shift
    if [[ ! -d $folder ]]; then
        echo "$folder is missing" >&2
        bad=1
        return
    fi
    while read -r place module; do
        allowed=
        for entry in "$@"; do
            if [[ $entry == "$module" || $entry == "${place%:*}=$module" ]]; then allowed=1; fi
        done
        if [[ -z $allowed ]]; then
            echo "$place: imports $module; $folder may import: ${*:-nothing}" >&2
            bad=1
        fi
    done < <(imports "$folder")
}

bad=0
platform=Sources/WorkQueues/Engine/Platform.swift
refuse Sources/SchedulingCore
refuse Sources/WorkQueues Dispatch Synchronization SchedulingCore \
    "$platform=Glibc" "$platform=Musl" "$platform=Darwin"
if [[ -d Sources/WorkQueuesTesting ]]; then
    refuse Sources/WorkQueuesTesting WorkQueues SchedulingCore
fi
if [[ $bad -ne 0 ]]; then exit 1; fi
echo "Every import is where it may be."
