/// Lucene commits as objects (§4): the words. A [CompoundCommit] is one Lucene commit of a shard
/// with the place of each of its files ([FileLocation]), and where in the logs a replay begins
/// ([TranslogPosition]). A [BlobId] names the object that holds one or more of them: the primary
/// term it was written under and the generation of its first commit.
///
/// **The life of a commit.** Lucene's writer makes it in `directory`; `batch` lays it out behind
/// the commits before it (VBCC), where the search tier reads chunks of it at once; `store` uploads
/// the batch as one object (BCC) in the layout of `blob`; from then on both tiers read it from
/// there. `notice` is what the tiers say to each other meanwhile, `call` how that travels.
///
/// **Invariants.** Blobs are written once, with put-if-absent, and never change. A file lies in one
/// blob, but for generational files (deletes, doc-values updates), which each blob that needs one
/// carries itself, so that it pins no older blob. Each 64 KiB of a blob's files has a checksum,
/// made when Lucene's footer had just proven the file; what leaves a batch, as a chunk or as the
/// blob, is compared with it (decision 019). The first key of a LIST is the newest blob, but LIST
/// is no proof: what must be there is known by the cluster state's mark and by the commit itself
/// (decision 018). A blob is deleted when no commit that is newest or retained, no local directory,
/// no search copy and no pin holds it (§6.1), and the lease, read after that, still names this
/// node.
///
/// **Threads.** Records may be used anywhere. Who writes or deletes says so in its own docs; a
/// batch is appended to by one thread and read by any.
///
/// **What may fail.** `CorruptObjectException` names object and offset: never is a damaged blob
/// passed over for an older one. `LostObjectException` names what the cluster state knows and the
/// store lacks. `NewerFormatException`: a newer build wrote it, and it is not touched.
///
/// The layout in bytes: `docs/format-compound-commit.md`; golden-bytes tests keep it.
@NullMarked
package dev.holdfast.compoundcommit;

import org.jspecify.annotations.NullMarked;
