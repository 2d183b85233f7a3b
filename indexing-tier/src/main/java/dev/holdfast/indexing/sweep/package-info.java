/// What no shard's owner knows of (§6): folders of deleted indices, logs of dead nodes, overdue
/// pins. The leader looks for it now and then. Only what a state that is complete by proof calls
/// orphaned is taken, a bounded share at once, and it goes to `trash/` for a day first (decision
/// 017).
@NullMarked
package dev.holdfast.indexing.sweep;

import org.jspecify.annotations.NullMarked;
