/// Pulls the plug: starts real nodes, loads them through HTTP, kills them with `kill -9` or freezes
/// their store, and checks that every acknowledged operation is still there and nothing deleted
/// came back (the guarantees of docs/ARCHITECTURE.md, 1–3).
@NullMarked
package dev.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
