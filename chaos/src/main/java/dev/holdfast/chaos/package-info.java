/// Pulls the plug: starts real nodes, loads them through HTTP, kills them with `kill -9`, freezes
/// or starves them, and checks that every acknowledged operation is still there and nothing deleted
/// came back (guarantees 1 to 3 of docs/ARCHITECTURE.md). Each kind of chaos is a subcommand of
/// `./holdfast chaos`; a run prints its seed and what it counted.
@NullMarked
package dev.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
