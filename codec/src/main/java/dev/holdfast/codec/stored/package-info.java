/// Stored fields in blocks of zstd or LZ4; each segment remembers its mode. Native contexts are
/// pooled within a limit, and freed when the limit is passed.
@NullMarked
package dev.holdfast.codec.stored;

import org.jspecify.annotations.NullMarked;
