package dev.holdfast.document;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A document to be parsed: bytes `[offset, offset + length)` are its JSON as received. The bytes
/// must not change until the batch has been indexed.
///
/// @param dynamicTemplates the dynamic templates that fields which the mapping lacks must take, by
///   their paths
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record DocumentSource(
    String id,
    @Nullable String routing,
    byte[] bytes,
    int offset,
    int length,
    Map<String, String> dynamicTemplates) {
  /// A document whose new fields take the templates that match them.
  public DocumentSource(String id, @Nullable String routing, byte[] bytes, int offset, int length) {
    this(id, routing, bytes, offset, length, Map.of());
  }
}
