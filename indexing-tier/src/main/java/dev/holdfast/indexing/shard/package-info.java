/// One open shard on its node: [IndexingShard] puts the engine together with what brings its
/// commits to the search tier and into the store, and looks after them in the background, one round
/// at a time. Also what bounds the replay of all shards of a node together.
@NullMarked
package dev.holdfast.indexing.shard;

import org.jspecify.annotations.NullMarked;
