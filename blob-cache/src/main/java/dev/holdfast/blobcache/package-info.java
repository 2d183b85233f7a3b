/// The block-based cache of blob bytes on local disk (§3.2): Lucene reads uploaded files through it
/// as if they were local.
///
/// **What it does.** A blob is cut into regions of 16 MiB, a region is a sparse file that is
/// mapped, and its pages of 4 KiB are filled by what reads miss. A miss makes one request for a
/// page however many readers want it (single flight), takes near missing pages along, and reads
/// further ahead when a reader goes forward. The hot region of a blob (what Lucene touches while it
/// opens) and the checksums of its pages stay on the heap. When the budget is used up, the region
/// that was used least often of late goes; a scan evicts nothing that others come back to. The
/// files survive a restart: a map of them is written now and then, and pages of an earlier life are
/// checked before their first read. Blobs of a local-folder store are mapped where they lie and not
/// cached at all.
///
/// **Invariants.** A page is in the cache whole or not at all, and is compared with the blob's
/// checksum before anybody reads it (decision 019). A file belongs to one region for ever: a reader
/// whose region is evicted meets an error inside, never the bytes of another blob, and looks again.
/// At each moment a wanted page is in a region, in a fetch, or fetched by whoever asks first. The
/// cache is a guess: a disk that is full or broken makes it smaller, never a read wrong.
///
/// **Threads.** [BlobCache] and the inputs that it opens may be used by any thread; an input itself
/// by one at a time, as Lucene does. One lock guards regions and what is under way; no blob is read
/// under it. A read inside its window takes no lock and allocates nothing. Fetches ahead run on
/// virtual threads, bounded by permits.
///
/// **What may fail.** A read throws what the store throws once retries are over,
/// `CorruptObjectException` with object and offset when a page is not what was written (it is read
/// once more first; the blob is listed as damaged until the same place is found whole),
/// `AlreadyClosedException` after close.
///
/// Packages: `blob` (what is read), `region` (the files and their eviction), `read` (bytes of
/// blobs, checked and hedged), `fetch` (which pages, once), `local` (blobs that are files here),
/// `stats`.
@NullMarked
package dev.holdfast.blobcache;

import org.jspecify.annotations.NullMarked;
