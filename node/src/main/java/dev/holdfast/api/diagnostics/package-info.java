/// What operators see (`/_holdfast/…`, `/_prometheus/metrics`): shards, commits, the blob cache,
/// requests to the store, what garbage collection keeps and why. Each node tells of itself; whoever
/// is asked asks the others and puts the answers together. Nothing here changes data, except that a
/// person accepts a loss or confirms a deletion.
@NullMarked
package dev.holdfast.api.diagnostics;

import org.jspecify.annotations.NullMarked;
