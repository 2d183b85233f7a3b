/// Snapshots and the repositories that they lie in (`/_snapshot`, decision 027). The APIs read
/// requests and render answers; [SnapshotCreation], [SnapshotDeletion] and [SnapshotRestore] are
/// the protocols. All run on the threads of requests, or as tasks of their own, and block on the
/// store. Who makes or deletes a snapshot may die at any step: what is half done is given up by
/// [AbandonedSnapshots].
@NullMarked
package dev.holdfast.api.snapshot;

import org.jspecify.annotations.NullMarked;
