// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "strongroom",
    products: [
        .library(name: "Strongroom", targets: ["Strongroom"]),
        .library(name: "StrongroomStores", targets: ["StrongroomStores"]),
        .library(name: "StrongroomFormats", targets: ["StrongroomFormats"]),
        .executable(name: "strongroom", targets: ["StrongroomMain"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "CLinux"),
        .target(name: "StrongroomCrypto", dependencies: ["CSodium"]),
        .target(name: "StrongroomSystem", dependencies: ["CLinux"]),
        .target(
            name: "StrongroomStores", dependencies: ["StrongroomSystem", "StrongroomCrypto"]),
        .target(
            name: "StrongroomVault",
            dependencies: ["StrongroomCrypto", "StrongroomSystem", "StrongroomStores"]),
        .target(
            name: "Strongroom",
            dependencies: [
                "StrongroomVault", "StrongroomStores", "StrongroomSystem", "StrongroomCrypto",
            ]),
        .target(name: "StrongroomFormats"),
        .target(
            name: "StrongroomCommand",
            dependencies: [
                "Strongroom", "StrongroomFormats", "StrongroomVault", "StrongroomStores",
                "StrongroomSystem",
                "StrongroomCrypto",
            ],
            path: "Tools/StrongroomCommand"),
        .executableTarget(
            name: "StrongroomMain", dependencies: ["StrongroomCommand"], path: "Tools/strongroom"),
        .target(
            name: "CBenchFloor", dependencies: ["CSodium"], path: "Tools/strongroom-bench/Floor"),
        .executableTarget(name: "BenchEmpty", path: "Tools/strongroom-bench/Empty"),
        .executableTarget(
            name: "strongroom-bench",
            dependencies: [
                "Strongroom", "StrongroomVault", "StrongroomSystem", "CBenchFloor", "BenchEmpty",
            ],
            path: "Tools/strongroom-bench", exclude: ["Empty", "Floor"]),
        .testTarget(
            name: "StrongroomCryptoTests", dependencies: ["StrongroomCrypto"],
            exclude: ["Vectors"]),
        .executableTarget(
            name: "SystemProbe", dependencies: ["StrongroomSystem"], path: "Tests/SystemProbe"),
        .testTarget(
            name: "StrongroomSystemTests", dependencies: ["StrongroomSystem", "SystemProbe"]),
        .target(
            name: "SimulatedDisk", dependencies: ["StrongroomSystem"],
            path: "Tests/SimulatedDisk"),
        .executableTarget(
            name: "StoreProbe", dependencies: ["StrongroomStores", "StrongroomSystem"],
            path: "Tests/StoreProbe"),
        .testTarget(
            name: "StrongroomStoresTests",
            dependencies: [
                "StrongroomStores", "StrongroomCrypto", "StrongroomSystem", "StoreProbe",
                "SimulatedDisk",
            ],
            exclude: ["Fixtures"]),
        .executableTarget(
            name: "VaultProbe",
            dependencies: [
                "StrongroomVault", "StrongroomCrypto", "StrongroomSystem", "StrongroomStores",
            ],
            path: "Tests/VaultProbe"),
        .testTarget(
            name: "StrongroomVaultTests",
            dependencies: [
                "StrongroomVault", "StrongroomCrypto", "StrongroomSystem", "StrongroomStores",
                "VaultProbe", "SimulatedDisk",
            ],
            resources: [.copy("Fixtures")]),
        .executableTarget(
            name: "AreaProbe", dependencies: ["Strongroom"], path: "Tests/AreaProbe"),
        .testTarget(
            name: "StrongroomTests",
            dependencies: [
                "Strongroom", "StrongroomVault", "StrongroomStores", "StrongroomSystem",
                "AreaProbe",
            ]),
        .testTarget(name: "StrongroomFormatsTests", dependencies: ["StrongroomFormats"]),
        .testTarget(
            name: "StrongroomCommandTests",
            dependencies: [
                "StrongroomCommand", "StrongroomMain", "StrongroomCrypto", "StrongroomStores",
                "StrongroomSystem", "StrongroomVault",
            ],
            exclude: ["Transcripts"]),
    ]
)

// What `Tools/test-fuzz` builds, for its own options alone.
if Context.environment["STRONGROOM_FUZZ"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "StrongroomCommand", "StrongroomFormats", "StrongroomVault", "StrongroomStores",
                "StrongroomSystem", "StrongroomCrypto", "SimulatedDisk",
            ],
            path: "Tests/Fuzz", exclude: ["Corpus"]))
}

for target in package.targets
where target.type != .system && !["CLinux", "CBenchFloor"].contains(target.name) {
    target.swiftSettings = [
        .strictMemorySafety(),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableExperimentalFeature("Lifetimes"),
    ]
    if Context.environment["STRONGROOM_CI"] == "1" {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
