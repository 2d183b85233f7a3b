package dev.holdfast.compoundcommit;

/// Where a Lucene file lies.
///
/// @param blob the batch that holds it
/// @param offset of its first byte within the blob
/// @param length in bytes
public record FileLocation(BlobId blob, long offset, long length) {}
