package dev.holdfast.indexing.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.Mapping;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Scans the documents of a run into a builder. Documents with new fields are scanned on, against
/// the mapping as it would be, so that one change of the cluster's mapping serves the whole run;
/// the run is then scanned again. What a document that is refused would have added is taken back:
/// it changes nothing.
@SuppressWarnings("ReferenceEquality") // merging nothing new gives the very same mapping
public final class DocumentScan {
  private final boolean mayGrow;
  private final @Nullable Refusal closed;
  private final List<ObjectNode> growth = new ArrayList<>();
  private Mapping mapping;
  private BatchBuilder builder;

  /// @param mayGrow false when the mapping has grown too often for this write: documents with new
  ///   fields are refused then
  /// @param closed why no mapping may grow; null where it may
  public DocumentScan(
      Mapping mapping, BatchBuilder builder, boolean mayGrow, @Nullable Refusal closed) {
    this.mapping = mapping;
    this.builder = builder;
    this.mayGrow = mayGrow;
    this.closed = closed;
  }

  public Scanned scan(List<Row> rows) {
    List<Row> good = new ArrayList<>(rows.size());
    Map<Row, Refusal> refused = new HashMap<>();
    for (Row row : rows) {
      Refusal refusal = row.source == null ? null : add(row, row.source);
      if (refusal == null) {
        good.add(row);
      } else {
        refused.put(row, refusal);
      }
    }
    return new Scanned(good, refused, growth);
  }

  private @Nullable Refusal add(Row row, DocumentSource source) {
    Mapping mappingBefore = mapping;
    BatchBuilder builderBefore = builder;
    int growthBefore = growth.size();
    Refusal refusal = scan(row, source);
    if (refusal != null) {
      mapping = mappingBefore;
      builder = builderBefore;
      growth.subList(growthBefore, growth.size()).clear();
    }
    return refusal;
  }

  private @Nullable Refusal scan(Row row, DocumentSource source) {
    if (mapping.isRoutingRequired() && source.routing() == null) {
      return new Refusal(ErrorType.ROUTING_MISSING, "routing is required for [" + row.id + "]");
    }
    while (true) {
      switch (builder.add(source)) {
        case Outcome.Added(int added) -> {
          row.batchRow = added;
          return null;
        }
        case Outcome.Refused(Refusal refusal) -> {
          return refusal;
        }
        case Outcome.NeedsMapping(ObjectNode update) -> {
          Refusal refusal = grow(update);
          if (refusal != null) {
            return refusal;
          }
        }
      }
    }
  }

  private @Nullable Refusal grow(ObjectNode update) {
    if (closed != null) {
      return closed;
    }
    if (!mayGrow) {
      return new Refusal(
          ErrorType.MAPPER_PARSING, "the mapping changes faster than the document can be indexed");
    }
    try {
      Mapping grown = mapping.merge(update);
      if (grown == mapping) {
        return new Refusal(
            ErrorType.MAPPER_PARSING, "a new field does not fit into the mapping: " + update);
      }
      mapping = grown;
      builder = grown.newBatch();
      growth.add(update);
      return null;
    } catch (Refusal conflict) {
      return conflict;
    }
  }

  /// What scanning a run gave.
  public record Scanned(List<Row> rows, Map<Row, Refusal> refused, List<ObjectNode> growth) {}
}
