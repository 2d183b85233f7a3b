package dev.holdfast.indexing.operation;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One write that a client asked for.
///
/// @param position its place in the request, for results in order
/// @param kind what to do
/// @param isAutoId the id was made by the server: it exists nowhere yet
/// @param bytes bytes `[offset, offset + length)` are the document, or the body of an update; empty
///   for deletes
/// @param condition what must hold for the write to happen
/// @param dynamicTemplates the dynamic templates that new fields must take, by their paths
/// @param isSourceUnwanted of an update: nobody asked for the document that it makes
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record WriteOperation(
    int position,
    Kind kind,
    String id,
    boolean isAutoId,
    @Nullable String routing,
    byte[] bytes,
    int offset,
    int length,
    Condition condition,
    int retryOnConflict,
    Map<String, String> dynamicTemplates,
    boolean isSourceUnwanted) {
  /// A write whose new fields take the templates that match them, and whose result has the document
  /// if it is an update.
  public WriteOperation(
      int position,
      Kind kind,
      String id,
      boolean isAutoId,
      @Nullable String routing,
      byte[] bytes,
      int offset,
      int length,
      Condition condition,
      int retryOnConflict) {
    this(
        position,
        kind,
        id,
        isAutoId,
        routing,
        bytes,
        offset,
        length,
        condition,
        retryOnConflict,
        Map.of(),
        false);
  }

  /// The same, whose result need not have the document: the results of a request are all there
  /// until it is answered.
  public WriteOperation withoutSource() {
    return new WriteOperation(
        position,
        kind,
        id,
        isAutoId,
        routing,
        bytes,
        offset,
        length,
        condition,
        retryOnConflict,
        dynamicTemplates,
        true);
  }

  /// What writes count as, in bytes, until they are answered.
  public static long bytesInFlight(List<WriteOperation> operations) {
    long bytes = 0;
    for (WriteOperation operation : operations) {
      bytes += operation.length + 2L * operation.id.length();
    }
    return bytes;
  }

  /// Kinds of write, as in `_bulk`.
  public enum Kind {
    INDEX,
    CREATE,
    UPDATE,
    DELETE
  }

  /// Optimistic concurrency.
  ///
  /// @param ifSeqNo -2 for no condition
  /// @param ifPrimaryTerm 0 for no condition
  /// @param version the version given, -3 for none
  /// @param versionType internal unless an external version is given
  public record Condition(long ifSeqNo, long ifPrimaryTerm, long version, VersionType versionType) {
    public static final Condition NONE = new Condition(-2, 0, -3, VersionType.INTERNAL);
  }

  /// Who counts versions.
  public enum VersionType {
    INTERNAL,
    EXTERNAL,
    EXTERNAL_GTE
  }
}
