import Glibc
import StrongroomSystem

// What libFuzzer calls. Its own `main` reads the options; which decoder is tried is in STRONGROOM_FUZZ_TARGET.

/// Begins: with STRONGROOM_FUZZ_SEEDS set, seeds are written into that directory, and nothing is tried.
@c(LLVMFuzzerInitialize)
public func initialize(_ count: UnsafeRawPointer, _ arguments: UnsafeRawPointer) -> CInt {
    guard let directory = Environment.current.value("STRONGROOM_FUZZ_SEEDS")?.text else { return 0 }
    do {
        try Seeds.write(to: Path(directory))
    } catch {
        Finding.stop("seeds: \(error)")
    }
    exit(0)
}

/// Tries one input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    do {
        try FuzzTarget.chosen.run(input)
    } catch {
        Finding.stop("an error that no caller is told to expect: \(error)")
    }
    return 0
}
