package dev.holdfast.api.document;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Ids;
import org.jspecify.annotations.Nullable;

/// A document with the index that it belongs to, and its id there.
///
/// @param isAutoId whether the id was made here and no document has it yet
public record NamedDocument(IndexMetadata index, String id, boolean isAutoId) {
  /// A document with the id that was given, or with a new one.
  static NamedDocument of(IndexMetadata index, @Nullable String given, Ids ids) {
    return new NamedDocument(index, given == null ? ids.documentId() : given, given == null);
  }
}
