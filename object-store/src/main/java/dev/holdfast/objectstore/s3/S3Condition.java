package dev.holdfast.objectstore.s3;

import dev.holdfast.objectstore.Nonce;
import dev.holdfast.objectstore.ObjectStore.Version;
import org.jspecify.annotations.Nullable;

/// What must hold for a write to happen.
///
/// @param ifMatch the ETag that the object must have
/// @param ifNoneMatch `*` when there must be no object
record S3Condition(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
  static final S3Condition NONE = new S3Condition(null, null);
  static final S3Condition ABSENT = new S3Condition(null, "*");

  static S3Condition of(@Nullable Version expected) {
    return expected == null ? ABSENT : new S3Condition(Nonce.providers(expected), null);
  }
}
