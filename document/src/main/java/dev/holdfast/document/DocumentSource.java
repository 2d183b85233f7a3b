package dev.holdfast.document;

import org.jspecify.annotations.Nullable;

/// A document to be parsed: bytes `[offset, offset + length)` are its JSON as received. The bytes
/// must not change until the batch has been indexed.
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record DocumentSource(
    String id, @Nullable String routing, byte[] bytes, int offset, int length) {}
