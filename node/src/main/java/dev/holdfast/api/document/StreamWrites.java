package dev.holdfast.api.document;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// What data streams take: new documents by the stream's name; what changes one that is there names
/// the backing index that holds it.
final class StreamWrites {
  private StreamWrites() {}

  /// @param stream that the index is behind; null for none
  /// @param name as the request gives it
  /// @param index that the name leads to
  /// @param routing that the request gives; null for none
  /// @throws Refusal `illegal_argument_exception`
  static void require(
      @Nullable DataStream stream,
      String name,
      IndexMetadata index,
      Kind kind,
      Condition condition,
      @Nullable String routing) {
    if (stream == null) {
      return;
    }
    if (index.id().name().equals(name)) {
      requireOfBackingIndex(stream, kind, condition);
      return;
    }
    if (kind != Kind.CREATE) {
      throw Refusal.badArgument(
          "only write ops with an op_type of create are allowed in data streams");
    }
    if (routing != null && !stream.allowsCustomRouting()) {
      throw Refusal.badArgument(
          "index request targeting data stream ["
              + stream.name()
              + "] specifies a custom routing but the [allow_custom_routing] setting is not enabled"
              + " in the data stream's template.");
    }
  }

  private static void requireOfBackingIndex(DataStream stream, Kind kind, Condition condition) {
    if (kind == Kind.CREATE) {
      throw Refusal.badArgument(
          "index request with op_type=create targeting backing indices is disallowed, target"
              + " corresponding data stream ["
              + stream.name()
              + "] instead");
    }
    if (kind == Kind.INDEX && condition.ifSeqNo() == Condition.NONE.ifSeqNo()) {
      throw Refusal.badArgument(
          "index request with op_type=index and no if_primary_term and if_seq_no set targeting"
              + " backing indices is disallowed, target corresponding data stream ["
              + stream.name()
              + "] instead");
    }
  }
}
