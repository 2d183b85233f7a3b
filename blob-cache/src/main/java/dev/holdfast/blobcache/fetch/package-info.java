/// Which pages a miss brings, and that each is fetched once: a plan of one contiguous range, and
/// flights that everybody waits for who needs one of their pages. The cache's lock guards the plan;
/// no lock is held while a blob is read.
@NullMarked
package dev.holdfast.blobcache.fetch;

import org.jspecify.annotations.NullMarked;
