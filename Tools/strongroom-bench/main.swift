import StrongroomSystem

do {
    let arguments = ProcessArguments.all.dropFirst().map(\.description)
    if arguments.first == Worker.command {
        try Worker.run(Array(arguments.dropFirst()))
    } else {
        try Program.run(try Options(arguments))
    }
} catch {
    print("strongroom-bench: \(error)")
    ProcessExit.exit(2)
}
