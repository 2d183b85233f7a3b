/// A store that tries again (decision 020): what was unavailable or refused is retried indefinitely
/// with full jitter for as long as the caller waits, and a write whose answer was lost is
/// recognised as one's own success. `StoreHealth` says which requests fail now and why: health is
/// red with it, and writes are rejected before they change anything.
@NullMarked
package dev.holdfast.objectstore.retry;

import org.jspecify.annotations.NullMarked;
