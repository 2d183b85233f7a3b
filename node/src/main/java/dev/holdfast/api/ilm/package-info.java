/// Lifecycle policies of indices: kept in the cluster state, followed by the node that leads, and
/// told of by `_ilm`. Where an index is in its policy is metadata of the index. APIs are called
/// from any thread; runs from one thread of the node.
@NullMarked
package dev.holdfast.api.ilm;

import org.jspecify.annotations.NullMarked;
