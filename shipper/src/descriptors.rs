//! How many files may be open at the same time.

#![allow(unsafe_code)]

/// Asks for as many as this process may have. A shell gives it 1,024 at first, and each file that may
/// grow is an open one.
pub fn allow_many() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // One call writes the limit and the other reads it; one that is refused leaves all as it was.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) == 0 {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
        }
    }
}
