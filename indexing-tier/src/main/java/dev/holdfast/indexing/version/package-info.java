/// Which version of a document is the newest, and which write may replace it: the live version map
/// first, then the index behind its bloom filter; Elasticsearch's rules of external versions and of
/// `if_seq_no`. Ids of a batch are locked in stripes while it is judged and applied. Look-ups are
/// made for one batch, by one thread.
@NullMarked
package dev.holdfast.indexing.version;

import org.jspecify.annotations.NullMarked;
