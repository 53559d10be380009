#!/usr/bin/env bash
# Proves that a program that uses WorkQueues links no Foundation: builds a small client outside the checkout, looks at it, runs it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/check-imports.sh"

client=$(mktemp -d)
trap 'rm -rf "$client"' EXIT
mkdir -p "$client/Sources/Client"

cat >"$client/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Client",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "WorkQueues", path: "$root")],
    targets: [
        .executableTarget(name: "Client", dependencies: [.product(name: "WorkQueues", package: "WorkQueues")])
    ])
SWIFT

cat >"$client/Sources/Client/main.swift" <<'SWIFT'
import WorkQueues

let queue = WorkQueue()
let sum = queue.addJob { 5 + 10 }
let text = queue.addJob(after: sum) { "Sum = \($0)" }
print(try text.waitForValue())
SWIFT

# Linked dynamically, so that every library the program needs has a name that can be read.
flags=(--package-path "$client" --scratch-path "$client/.build" --no-static-swift-stdlib)
swift build "${flags[@]}"
program=$(swift build "${flags[@]}" --show-bin-path)/Client

if [[ $(uname) == Darwin ]]; then
    libraries=$(otool -L "$program")
else
    # What the program itself asks for, and everything that its libraries ask for.
    libraries=$(readelf --dynamic --wide "$program" | grep NEEDED; ldd "$program")
    if ! grep -q libswiftCore <<<"$libraries"; then
        echo "The client names no libswiftCore, so this look at its libraries proves nothing:" >&2
        echo "$libraries" >&2
        exit 1
    fi
fi
if grep -i foundation <<<"$libraries" >&2; then
    echo "A client of WorkQueues links Foundation (above)." >&2
    exit 1
fi

output=$("$program")
if [[ $output != "Sum = 15" ]]; then
    echo "The client printed '$output' where 'Sum = 15' was due." >&2
    exit 1
fi
echo "A client of WorkQueues runs and links no Foundation."
