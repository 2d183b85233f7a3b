/// The postings of `_id` behind a blocked bloom filter: a look-up of an absent id reads one cache
/// line and ends. The filters lie in a file of their own and stay there; written files depend on
/// [TermHash], which must not change.
@NullMarked
package dev.holdfast.codec.bloom;

import org.jspecify.annotations.NullMarked;
