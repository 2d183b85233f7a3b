/// Repositories of snapshots as the cluster state knows them: definitions, by name. Pure functions
/// of the state, called from any thread.
@NullMarked
package dev.holdfast.clusterstate.repository;

import org.jspecify.annotations.NullMarked;
