#!/usr/bin/env bash
# Compiles programs that use every public name against the product WorkQueues alone, as a package of its own would, warnings as errors.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

client=$(mktemp -d)
trap 'rm -rf "$client"' EXIT

# add_target NAME FILE...: a target from copies of these files.
targets=
add_target() {
    local name=$1
    shift
    mkdir -p "$client/Sources/$name"
    cp "$@" "$client/Sources/$name/"
    targets+="
        .target(
            name: \"$name\", dependencies: [.product(name: \"WorkQueues\", package: \"WorkQueues\")], packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),"
}

add_target PublicSurface "$root"/Tests/PublicSurface/*.swift
# Names that code outside this repository is compiled against, where that list lies beside the checkout.
shared=$root/../shared/cases/PublicSurface.swift
if [[ -f $shared ]]; then
    add_target SharedSurface "$shared"
else
    echo "No $shared here: only Tests/PublicSurface is compiled."
fi

cat >"$client/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Surface",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "WorkQueues", path: "$root")],
    targets: [$targets
    ])
SWIFT

swift build --package-path "$client" --scratch-path "$client/.build"
echo "The public names are in place."
