/// Where snapshots lie: kinds of repositories, one file and one line in [RepositoryTypes] each, and
/// the snapshots in one, each an object that says all of it (decision 027).
///
/// Called by the APIs and by shards that begin with a snapshot, from any thread; all of it blocks
/// on the store. What fails is a [dev.holdfast.world.Refusal] for people, or the store's own error.
@NullMarked
package dev.holdfast.indexing.repository;

import org.jspecify.annotations.NullMarked;
