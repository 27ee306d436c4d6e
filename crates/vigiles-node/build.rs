//! Tells the linker what a Node.js addon needs on this platform.

fn main() {
    napi_build::setup();
}
