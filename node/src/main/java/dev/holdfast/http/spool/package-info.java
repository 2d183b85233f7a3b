/// Files for what a request is too large to hold in memory: its body, and its answer. They have no
/// name in their folder once they are open, so that nothing is left of them however the process
/// ends. Written by one thread at a time; what all of them take of the disk is bounded.
@NullMarked
package dev.holdfast.http.spool;

import org.jspecify.annotations.NullMarked;
