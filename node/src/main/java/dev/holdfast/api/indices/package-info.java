/// APIs of the life of an index: create, resize, roll over, open, close, block, delete. Each is one
/// change of the cluster state, checked against the state that it is applied to; the caller then
/// waits, within its timeout, until shards are open.
@NullMarked
package dev.holdfast.api.indices;

import org.jspecify.annotations.NullMarked;
