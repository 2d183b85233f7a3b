package dev.holdfast.api.diagnostics;

import dev.holdfast.compoundcommit.BlobId;

/// How a blob is called in what people read: its term and generation.
final class BlobName {
  private BlobName() {}

  static String of(BlobId blob) {
    return blob.primaryTerm() + "-" + blob.generation();
  }
}
