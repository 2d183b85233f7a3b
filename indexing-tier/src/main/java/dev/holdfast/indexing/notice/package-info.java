/// What the search copies of a shard have been told, and what they said that they still read (§4.1,
/// §6.1). A refresh is answered when every copy that may be searched has the commit. Until a copy
/// has answered, it is taken to read everything that it may have opened. Copies are told side by
/// side, and one that does not answer in time keeps nobody waiting longer than the bound.
@NullMarked
package dev.holdfast.indexing.notice;

import org.jspecify.annotations.NullMarked;
