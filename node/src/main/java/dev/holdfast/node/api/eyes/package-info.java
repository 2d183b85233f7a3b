/// What operators see (`/_holdfast/…`, `/_prometheus/metrics`): each node tells of itself; whoever
/// is asked asks the others and puts the answers together.
@NullMarked
package dev.holdfast.node.api.eyes;

import org.jspecify.annotations.NullMarked;
