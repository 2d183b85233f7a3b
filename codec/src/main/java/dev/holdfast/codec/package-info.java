/// Lucene formats of our own: stored fields in zstd blocks, the bloom filter over `_id`, doc values
/// that decode in bulk. All are registered by name, so every tier reads them.
@NullMarked
package dev.holdfast.codec;

import org.jspecify.annotations.NullMarked;
