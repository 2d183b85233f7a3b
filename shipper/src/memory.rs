//! How the allocator of the C library (glibc) is told to be sparing. By itself it has an arena for each
//! thread, which keeps what any other thread frees in it, and as soon as one large piece was freed it
//! takes large pieces from arenas too, where they leave holes.

#![allow(unsafe_code)]

/// Tells it, before there is a second thread.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn be_sparing() {
    // One that is refused leaves all as it was.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
        // Bodies, compressors and buffers are mapped, and gone when they are freed. Setting it also
        // keeps it from growing with what is freed.
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 1 << 20);
    }
}

/// There is another allocator, which is told nothing.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn be_sparing() {}
