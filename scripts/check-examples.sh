#!/usr/bin/env bash
# Runs the built examples and compares what they print, and the codes they exit with, with what they promise.
#
# usage: scripts/check-examples.sh BIN [TEXT]
#   BIN    the folder with the built examples, for instance .build/debug
#   TEXT   a folder of text for WordCount (default: the system's Perl library, else the sources of this package)

set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] && [ -d "$1" ] || { sed -n '4,6s/^# //p' "$0" >&2; exit 64; }
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
background=
clean_up() {
    if [ -n "$background" ]; then kill "$background" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap clean_up EXIT

section=
fail() {
    echo "check-examples: $section: $1" >&2
    for file in out err; do
        echo "--- last std$file" >&2
        head -c 2000 "$scratch/$file" >&2 || true
    done
    exit 1
}

# run NAME ARGUMENT...: leaves standard output in $scratch/out, standard error in $scratch/err, the exit code in $code.
run() {
    section="$*"
    local name=$1
    shift
    code=0
    "$bin/$name" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
}
expect_code() { [ "$code" -eq "$1" ] || fail "exit code $code instead of $1"; }
expect_output() { printf '%s' "$1" | cmp -s - "$scratch/out" || fail "standard output is not $(printf '%q' "$1")"; }
expect_error() { grep -qi -- "$1" "$scratch/err" || fail "standard error does not mention '$1'"; }
expect_no_error() { [ ! -s "$scratch/err" ] || fail "standard error is not empty"; }
expect_usage() {
    expect_code 64
    expect_output ''
    expect_error "usage: $1"
}

# eventually CONDITION...: polls for half a minute.
eventually() {
    local round
    for ((round = 0; round < 600; round++)); do
        if "$@"; then return; fi
        sleep 0.05
    done
    fail "waited in vain for: $*"
}

check_calculate_display() {
    run CalculateDisplay
    expect_code 0; expect_output $'Sum = 15\n'; expect_no_error
    run CalculateDisplay 20 22
    expect_code 0; expect_output $'Sum = 42\n'; expect_no_error
    run CalculateDisplay -5 3
    expect_code 0; expect_output $'Sum = -2\n'

    run CalculateDisplay 9223372036854775807 1
    expect_code 1; expect_output ''; expect_error 'does not fit'

    run CalculateDisplay 1; expect_usage CalculateDisplay
    run CalculateDisplay 1 2 3; expect_usage CalculateDisplay
    run CalculateDisplay five ten; expect_usage CalculateDisplay
    run CalculateDisplay 1 2.5; expect_usage CalculateDisplay
    run CalculateDisplay 1 ''; expect_usage CalculateDisplay
}

# The same count by other means; grep ends each file with a line's end, so that no word reaches into the next file.
count_with_coreutils() {
    { find "$1" -type f -exec grep -ah '' {} + || true; } \
        | tr -cs 'A-Za-z' '\n' | tr 'A-Z' 'a-z' | sed '/^$/d' | sort | uniq -c | sort -k1,1nr -k2,2 | sed 's/^ *//'
}

text_folder() {
    local folder
    for folder in "${1:-}" "$(perl -MConfig -e 'print $Config{privlib}' 2>/dev/null)" /usr/share/perl /usr/share/perl5 "$root/Sources"; do
        if [ -n "$folder" ] && [ -d "$folder" ]; then (cd "$folder" && pwd -P); return; fi
    done
    fail "no folder of text found, give one as second argument"
}

check_word_count_of_text() {
    local text
    text=$(text_folder "${1:-}")
    count_with_coreutils "$text" >"$scratch/expected"

    run WordCount --top 100000000 "$text"
    expect_code 0; expect_no_error
    cmp "$scratch/out" "$scratch/expected" || fail "differs from sort and uniq"
    run WordCount --jobs 1 "$text"
    expect_code 0; expect_output "$(sed 20q "$scratch/expected")"$'\n'
    run WordCount --jobs 7 --top 3 "$text"
    expect_code 0; expect_output "$(sed 3q "$scratch/expected")"$'\n'
}

check_word_count_rules() {
    local folder=$scratch/rules
    mkdir -p "$folder/deeper/empty"
    printf 'The the THE don'\''t caf\303\251 x1y\000z' >"$folder/one"
    printf 'the end' >"$folder/deeper/a name
of two lines"
    printf 'zebra' >"$folder/deeper/.hidden"
    : >"$folder/nothing"
    local expected=$'4 the\n1 caf\n1 don\n1 end\n1 t\n1 x\n1 y\n1 z\n1 zebra\n'

    run WordCount "$folder"
    expect_code 0; expect_no_error; expect_output "$expected"
    run WordCount --top 2 -- "$folder/deeper" "$folder/one"
    expect_code 0; expect_output $'4 the\n1 caf\n'
    run WordCount "$folder/deeper/empty"
    expect_code 0; expect_no_error; expect_output ''

    ln -s one "$folder/link-to-file"
    ln -s ../.. "$folder/deeper/link-upwards"
    ln -s nowhere "$folder/link-to-nothing"
    run WordCount "$folder"
    expect_code 0; expect_no_error; expect_output "$expected"
    run WordCount "$folder/link-to-file" "$folder/deeper/.hidden"
    expect_code 1; expect_error 'link-to-file'; expect_output $'1 zebra\n'

    # Longer than any piece that is read at once.
    mkdir "$scratch/long"
    { head -c 300000 /dev/zero | tr '\000' 'L'; printf ' word'; } >"$scratch/long/file"
    run WordCount "$scratch/long"
    expect_code 0
    { printf '1 '; head -c 300000 /dev/zero | tr '\000' 'l'; printf '\n1 word\n'; } | cmp -s - "$scratch/out" || fail "cuts a long word"
}

# Permissions stop everybody but root, so there are three kinds of what cannot be read, and at least one of them everywhere.
check_word_count_of_unreadable() {
    local folder=$scratch/unreadable
    mkdir "$folder"
    echo 'readable' >"$folder/file"

    run WordCount "$folder" "$folder/missing"
    expect_code 1; expect_error 'missing: no such file'; expect_output $'1 readable\n'

    if [ "$(id -u)" -ne 0 ]; then
        echo 'secret' >"$folder/locked"
        chmod 000 "$folder/locked"
        run WordCount "$folder"
        expect_code 1; expect_error 'locked: permission denied'; expect_output $'1 readable\n'
        rm "$folder/locked"
    fi
    if [ -f /proc/self/mem ]; then
        run WordCount /proc/self/mem "$folder"
        expect_code 1; expect_error '/proc/self/mem: '; expect_output $'1 readable\n'
    fi

    # A file so far below that the system takes no path as long as its own.
    local part level
    part=$(head -c 200 /dev/zero | tr '\000' 'd')
    (cd "$folder" && for ((level = 0; level < 25; level++)); do mkdir "$part" && cd "$part"; done && echo 'unreachable' >file)
    run WordCount "$folder"
    expect_code 1; expect_error 'name too long'; expect_output $'1 readable\n'
}

has_open() {
    if [ -d "/proc/$1/fd" ]; then ls -l "/proc/$1/fd" 2>/dev/null | grep -q -- "$2"; else lsof -p "$1" 2>/dev/null | grep -q -- "$2"; fi
}
has_ended() { ! kill -0 "$1" 2>/dev/null; }

# A file with a hole of 256 GiB takes minutes to read, so the interrupt comes while a job is in the middle of its work.
check_word_count_interrupt() {
    section='WordCount, interrupted'
    mkdir "$scratch/endless"
    dd if=/dev/zero of="$scratch/endless/hole" bs=1048576 count=0 seek=262144 2>/dev/null
    "$bin/WordCount" "$scratch/endless" >"$scratch/out" 2>"$scratch/err" </dev/null &
    local counter=$!
    background=$counter
    eventually has_open "$counter" endless/hole
    kill -INT "$counter"
    eventually has_ended "$counter"
    background=
    code=0
    wait "$counter" || code=$?
    expect_code 130; expect_output ''; expect_error 'cancelled'
}

check_word_count_arguments() {
    run WordCount; expect_usage WordCount
    run WordCount --top; expect_usage WordCount
    run WordCount --top many "$root"; expect_usage WordCount
    run WordCount --top -1 "$root"; expect_usage WordCount
    run WordCount --jobs 0 "$root"; expect_usage WordCount
    run WordCount --jobs 2; expect_usage WordCount
    run WordCount --what "$root"; expect_usage WordCount
}

# The starts and ends of downloads as "NAME WHAT" lines, in the order they were printed.
timeline() { sed -n 's/^ *[0-9.]* s  \([^ ]*\)  *\(started\|finished\|cancelled\|failed\).*/\1 \2/p' "$scratch/out"; }
expect_timeline() { [ "$(timeline)" = "$1" ] || fail "the order is not: $(echo "$1" | tr '\n' ';')"; }

check_download_images() {
    run DownloadImages --mode serial --count 2
    expect_code 0; expect_no_error
    expect_timeline $'image-1.bmp started\nimage-1.bmp finished\nimage-2.bmp started\nimage-2.bmp finished'
    [ "$(grep -c 'finished, 230454 bytes' "$scratch/out")" -eq 2 ] || fail "the sizes are wrong"
    if grep -q $'\033' "$scratch/out"; then fail "draws bars into a pipe"; fi

    run DownloadImages --count 2
    expect_code 0; expect_no_error
    [ "$(timeline | sed 2q | cut -d ' ' -f 2 | sort -u)" = started ] || fail "not both at once"
    [ "$(timeline | grep -c finished)" -eq 2 ] || fail "not both finished"

    run DownloadImages --mode dependent --count 2
    expect_code 0; expect_no_error
    expect_timeline $'image-2.bmp started\nimage-2.bmp finished\nimage-1.bmp started\nimage-1.bmp finished'

    run DownloadImages --mode cancel --count 3
    expect_code 0; expect_no_error
    timeline | grep -q 'image-1.bmp cancelled' || fail "the first one is not cancelled"
    [ "$(timeline | grep -c 'cancelled\|finished')" -eq 3 ] || fail "not every download has an end"
}

has_printed_address() { grep -q 'http://127.0.0.1:[0-9]' "$scratch/served" 2>/dev/null; }

# One instance serves while it is busy with its own images; another one downloads from it.
check_download_failures() {
    section='DownloadImages, as a server'
    "$bin/DownloadImages" --mode serial --count 1000 >"$scratch/served" 2>/dev/null </dev/null &
    background=$!
    eventually has_printed_address
    local address
    address=$(grep -o 'http://127.0.0.1:[0-9]*' "$scratch/served" | sed 1q)

    run DownloadImages --mode serial "$address/image-1.bmp" "$address/missing.bmp" http://127.0.0.1:1/refused.bmp "$address/image-2.bmp"
    expect_code 1
    local served=$'image-%d.bmp started\nimage-%d.bmp finished\n' failed=$'%s.bmp started\n%s.bmp failed\n'
    expect_timeline "$(printf "$served$failed$failed$served" 1 1 missing missing refused refused 2 2)"
    expect_error "$address/missing.bmp: .*404"
    expect_error 'http://127.0.0.1:1/refused.bmp: '
    kill "$background"
    wait "$background" 2>/dev/null || true
    background=
}

check_download_arguments() {
    run DownloadImages --mode; expect_usage DownloadImages
    run DownloadImages --mode slow; expect_usage DownloadImages
    run DownloadImages --count 0; expect_usage DownloadImages
    run DownloadImages --count 2 http://127.0.0.1/; expect_usage DownloadImages
    run DownloadImages --what; expect_usage DownloadImages
    run DownloadImages no-address; expect_usage DownloadImages
}

# What is drawn for people who watch; only where `script` can lend a terminal.
check_terminal() {
    if ! script --version >/dev/null 2>&1; then return; fi
    section='on a terminal'
    script -qec "'$bin/WordCount' '$scratch/rules' >/dev/null" /dev/null >"$scratch/out" 2>"$scratch/err" </dev/null
    grep -q 'of .* files counted' "$scratch/out" || fail "WordCount shows no progress"
    script -qec "'$bin/DownloadImages' --count 2" /dev/null >"$scratch/out" 2>"$scratch/err" </dev/null
    grep -q '█.* of 230454 bytes' "$scratch/out" || fail "DownloadImages draws no bars"
}

check_calculate_display
check_word_count_of_text "${2:-}"
check_word_count_rules
check_word_count_of_unreadable
check_word_count_interrupt
check_word_count_arguments
check_download_images
check_download_failures
check_download_arguments
check_terminal
echo "check-examples: all examples keep their promises"
