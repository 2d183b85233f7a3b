//! Which signals end the shipper.

#![allow(unsafe_code)]

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::ffi::c_int;
use std::mem::MaybeUninit;

/// SIGHUP is one of them, unless whoever started it (`nohup`) wants it to go on without its terminal.
pub fn ending() -> Vec<c_int> {
    let mut signals = vec![SIGTERM, SIGINT];
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    signals
}

fn is_ignored(signal: c_int) -> bool {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // It only asks, and what it writes is valid as zeros too.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr()) == 0
            && now.assume_init().sa_sigaction == libc::SIG_IGN
    }
}
