/// APIs about the cluster: health, state, statistics, settings, why a shard is where it is. All but
/// settings and reroute read the newest cluster state that this node has applied; waiting for
/// health polls it until the deadline of the request and then answers `timed_out`.
@NullMarked
package dev.holdfast.api.cluster;

import org.jspecify.annotations.NullMarked;
