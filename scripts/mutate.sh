#!/usr/bin/env bash
# Puts small faults into a copy of the sources, one at a time, and shows that the tests catch each; exit code 1 if one goes uncaught.
#
#   scripts/mutate.sh                 every fault of scripts/mutations
#   scripts/mutate.sh NAME...         those whose names begin so: scripts/mutate.sh C5 D2-order
#   scripts/mutate.sh --quick ...     leaves out the third step: all others
#   scripts/mutate.sh --list          prints the faults
#   scripts/mutate.sh --check         only says whether every fault still applies to the sources; builds nothing
#
# Each fault is tried on the tests that bear its rule in their names, then, if it is in SchedulingCore, on SchedulingCoreTests, then on
# all others, until one fails, crashes or hangs. A failure counts if the test fails again on its own, once in three tries, and passes on
# the unbroken sources. WORKQUEUES_MUTATE names a folder for the copy, which makes the next
# run's first build a short one; without it the copy is made in a temporary folder and removed.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
faults=$root/scripts/mutations
# How long a watchdog of the tests waits, how long it does when a failure is looked at again, and how long no test may begin or end until
# that is called a hang, in seconds.
patience=5
long_patience=20
limit=45
# As many tests as a command line holds for certain.
share=500

die() {
    echo "mutate.sh: $*" >&2
    exit 2
}

# --- Faults --------------------------------------------------------------------------------------------------------------------------

# field FAULT KEY: the first line "KEY: value" of a fault.
field() { sed -n "s/^$2: //p" "$faults/$1.mutation" | head -n 1; }

# replace FILE OLD NEW FAULT: puts NEW in the place of OLD, which must stand in FILE once.
replace() {
    local file=$1 old=$2 new=$3 text before after
    [[ -f $file ]] || die "mutation no longer applies: $4: there is no file ${file#"$copy/"}"
    # The full stop keeps the newlines at the end.
    text=$(cat "$file"; printf .)
    text=${text%.}
    [[ $text == *"$old"* ]] || die "mutation no longer applies: $4: ${file#"$copy/"} has no text '$old'"
    before=${text%%"$old"*}
    after=${text#*"$old"}
    [[ $after != *"$old"* ]] || die "mutation no longer applies: $4: ${file#"$copy/"} has the text '$old' more than once"
    printf '%s%s%s' "$before" "$new" "$after" >"$file"
}

# apply FAULT: puts a fault into the copy.
apply() {
    local part='' file='' old='' new='' line
    while IFS= read -r line || [[ -n $line ]]; do
        case $line in
            rule:*|fault:*) if [[ -z $part ]]; then continue; fi ;;
            file:*)
                if [[ -n $file ]]; then replace "$copy/$file" "${old%$'\n'}" "${new%$'\n'}" "$1"; fi
                file=${line#file: } part=file old='' new=''
                continue
                ;;
            old:|new:)
                part=${line%:}
                continue
                ;;
        esac
        case $part in
            old) old+=$line$'\n' ;;
            new) new+=$line$'\n' ;;
            *) die "$1.mutation: a line that belongs nowhere: $line" ;;
        esac
    done <"$faults/$1.mutation"
    [[ -n $file && -n $old ]] || die "$1.mutation names no file or no text"
    replace "$copy/$file" "${old%$'\n'}" "${new%$'\n'}" "$1"
}

# revert FAULT: takes it out again. What was touched gets the time of now, so that the build sees it.
revert() {
    local file
    while IFS= read -r file; do
        cp "$root/$file" "$copy/$file"
    done < <(sed -n 's/^file: //p' "$faults/$1.mutation")
}

# --- Building and running ------------------------------------------------------------------------------------------------------------

build() { (cd "$copy" && swift build --build-tests) >"$work/build.log" 2>&1; }

# Starts the tests named in a file, one "Module.Class/test" a line, in the background; their output goes to a log.
start_tests() {
    local environment=(env "WORKQUEUES_PATIENCE=$patience" SWIFT_BACKTRACE=enable=no) command
    if [[ $(uname) == Darwin ]]; then
        command=(xcrun xctest -XCTest "$(sed 's/^[^.]*\.//' "$1" | paste -s -d , -)" "$bundle")
    else
        command=("$bundle" "$(paste -s -d , "$1")")
    fi
    # A process group of their own, so that what they start ends with them.
    set -m
    (cd "$copy" && exec "${environment[@]}" "${command[@]}") >"$2" 2>&1 &
    set +m
}

# name_of CLASS TEST: as the list of all tests has it. Logs leave out the module.
name_of() { grep -m 1 -- "\.$1/$2\$" "$work/all" || echo "$1/$2"; }

# run TESTS-FILE: runs tests until one fails. Sets `culprit` to its name, empty if all passed, and `manner` to what it did.
run() {
    local log=$work/tests.log pid status=0 since=$SECONDS size=0 known=0 line
    culprit='' manner=''
    [[ -s $1 ]] || return 0
    start_tests "$1" "$log"
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.2
        size=$(wc -c <"$log")
        if ((size != known)); then known=$size since=$SECONDS; fi
        if grep -a -q -m 1 ': error: ' "$log" || ((SECONDS - since > limit)); then break; fi
    done
    kill -KILL -- "-$pid" 2>/dev/null || true
    # The shell's own word on a killed child is none of the output.
    wait "$pid" 2>/dev/null || status=$?
    if line=$(grep -a -m 1 ': error: ' "$log"); then
        # "file:line: error: Class.test : message", on Apple platforms "-[Module.Class test]".
        line=${line#*: error: }
        line=${line%% : *}
        manner=fails
    elif ((status != 0)); then
        line=$(grep -a "^Test Case '.*' started" "$log" | tail -n 1 | sed "s/^Test Case '\(.*\)' started.*/\1/")
        manner=crashes
        if ((SECONDS - since > limit)); then manner=hangs; fi
    else
        return 0
    fi
    line=${line#-[}
    line=${line%]}
    line=${line/ /.}
    if [[ $line == *.*.* ]]; then line=${line#*.}; fi
    culprit=$(name_of "${line%%.*}" "${line#*.}")
}

# fails_again TEST: whether it fails on its own, once in three tries.
fails_again() {
    echo "$1" >"$work/one"
    local short=$patience status=1
    patience=$long_patience
    for _ in 1 2 3; do
        run "$work/one"
        if [[ -n $culprit ]]; then
            status=0
            break
        fi
    done
    patience=$short
    return $status
}

# confirm TEST: whether its failure comes again, and is the fault's.
confirm() {
    local was=$manner broken=$bundle
    if ! fails_again "$1"; then
        echo "    ($1 failed, and did not fail again)" >&2
        return 1
    fi
    if ! grep -q -x -F "$1" "$work/sound"; then
        bundle=$unbroken
        run "$work/one"
        bundle=$broken
        if [[ -n $culprit ]]; then
            echo "    ($1 fails without a fault too)" >&2
            return 1
        fi
        echo "$1" >>"$work/sound"
    fi
    manner=$was
}

# without PASSED FILE: the tests of a file but for those that a log says have passed, and one more.
without() {
    sed -n "s/^Test Case '\(-\[\)\{0,1\}\([^']*[^]']\)\]\{0,1\}' passed.*/\2/p" "$work/tests.log" | tr ' ' . |
        awk -F. -v one="$2" '
            BEGIN { gone[one] }
            FNR == NR { passed[$(NF - 1) "/" $NF]; next }
            !($0 in gone) && !(substr($0, index($0, ".") + 1) in passed)' - "$1"
}

# search TESTS-FILE: as `run`, but passes over failures that do not come again.
search() {
    local candidate part
    rm -f "$work"/part.*
    [[ -s $1 ]] || return 1
    split -l "$share" "$1" "$work/part."
    for part in "$work"/part.*; do
        while true; do
            run "$part"
            [[ -n $culprit ]] || break
            candidate=$culprit
            without "$part" "$candidate" >"$work/rest"
            if confirm "$candidate"; then
                culprit=$candidate
                return 0
            fi
            mv "$work/rest" "$part"
        done
    done
    return 1
}

# stages FAULT RULE: writes down which tests to run, those first that are likely to find the fault soon.
stages() {
    local own="/test(${2// /|})_"
    rm -f "$work"/stage.*
    grep -E "$own" "$work/all" | grep -v '^ParityTests' >"$work/stage.1" || true
    grep -E "$own" "$work/all" | grep '^ParityTests' >"$work/stage.2" || true
    # The core's tests see nothing but the core.
    if grep -q '^file: Sources/SchedulingCore/' "$faults/$1.mutation"; then
        grep -E -v "$own" "$work/all" | grep '^SchedulingCoreTests' >"$work/stage.3" || true
    fi
    if $quick; then return 0; fi
    grep -E -v "$own" "$work/all" | grep '^WorkQueuesTests' >"$work/stage.4" || true
    grep -E -v "$own" "$work/all" | grep -E -v '^(WorkQueuesTests|SchedulingCoreTests)' >"$work/stage.5" || true
}

# --- The run -------------------------------------------------------------------------------------------------------------------------

quick=false
mode=run
patterns=()
for argument in "$@"; do
    case $argument in
        --quick) quick=true ;;
        --list) mode=list ;;
        --check) mode=check ;;
        -*)
            sed -n '4,8s/^# *//p' "${BASH_SOURCE[0]}" >&2
            exit 64
            ;;
        *) patterns+=("${argument%.mutation}") ;;
    esac
done

chosen=()
for file in "$faults"/*.mutation; do
    name=$(basename "$file" .mutation)
    if [[ ${#patterns[@]} -eq 0 ]]; then
        chosen+=("$name")
        continue
    fi
    for pattern in "${patterns[@]}"; do
        if [[ $name == "$pattern"* ]]; then
            chosen+=("$name")
            break
        fi
    done
done
[[ ${#chosen[@]} -gt 0 ]] || die "no fault has such a name; --list prints them"

if [[ $mode == list ]]; then
    for name in "${chosen[@]}"; do printf '%-52s %s\n' "$name" "$(field "$name" fault)"; done
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ $mode == check ]]; then
    copy=$work/copy
    mkdir "$copy"
    cp -R "$root/Sources" "$copy/Sources"
    for name in "${chosen[@]}"; do
        apply "$name"
        revert "$name"
    done
    echo "All ${#chosen[@]} faults apply."
    exit 0
fi

copy=${WORKQUEUES_MUTATE:-$work/copy}
mkdir -p "$copy"
for item in Package.swift Sources Tests Examples Benchmarks; do
    rm -rf "${copy:?}/$item"
    # With the times, so that what has not changed is not built anew.
    if [[ -e $root/$item ]]; then cp -R -p "$root/$item" "$copy/$item"; fi
done

echo "Building the unbroken sources" >&2
build || { cat "$work/build.log" >&2; die "the unbroken sources do not build"; }
bundle=$(cd "$copy" && swift build --show-bin-path)/WorkQueuesPackageTests.xctest
(cd "$copy" && swift test list --skip-build 2>/dev/null) | grep -E '^[A-Za-z0-9_]+\.[A-Za-z0-9_]+/test' >"$work/all"
[[ -s $work/all ]] || die "the list of tests is empty"
# The tests of the unbroken sources, beside the others, because they look for their helpers there.
unbroken=${bundle%.xctest}Unbroken.xctest
rm -rf "$unbroken"
cp -R "$bundle" "$unbroken"

survivors=()
: >"$work/sound"
printf '| fault | rule | caught by | seconds |\n|---|---|---|---|\n'
for name in "${chosen[@]}"; do
    rule=$(field "$name" rule)
    apply "$name"
    build || { cat "$work/build.log" >&2; die "the fault $name does not compile"; }
    begin=$SECONDS
    stages "$name" "$rule"
    caught=
    for tests in "$work"/stage.*; do
        if search "$tests"; then
            caught=$culprit
            break
        fi
    done
    if [[ -n $caught ]]; then
        case $manner in fails) word= ;; *) word=" ($manner)" ;; esac
        # shellcheck disable=SC2016  # the backquotes are for the table
        printf '| `%s` | %s | `%s`%s | %d |\n' "$name" "$rule" "${caught#*.}" "$word" $((SECONDS - begin))
    else
        survivors+=("$name")
        # shellcheck disable=SC2016
        printf '| `%s` | %s | **nothing** | %d |\n' "$name" "$rule" $((SECONDS - begin))
    fi
    revert "$name"
done


echo
echo "${#chosen[@]} faults, $((${#chosen[@]} - ${#survivors[@]})) caught, ${#survivors[@]} survived."
if [[ ${#survivors[@]} -gt 0 ]]; then
    printf '    %s\n' "${survivors[@]}"
    exit 1
fi
