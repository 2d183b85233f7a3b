/// APIs about nodes: what they are made of, what they count, what their threads do, and draining.
/// Statistics are asked of each node that is selected; a node that does not answer in time is named
/// as a failure.
@NullMarked
package dev.holdfast.api.nodes;

import org.jspecify.annotations.NullMarked;
