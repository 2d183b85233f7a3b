package dev.holdfast.blobcache.blob;

/// Bytes of a blob that a cache holds, or should.
public record CachedRange(String blobKey, ByteRange range) {}
