/// Lucene formats of our own, put together: [HoldfastCodec] gives each field the formats that its
/// mapping wants. Segments name their formats themselves, so every tier reads every segment
/// whatever the mapping says today. What is written is never changed under the same name: a format
/// that changes gets a new one.
@NullMarked
package dev.holdfast.codec;

import org.jspecify.annotations.NullMarked;
