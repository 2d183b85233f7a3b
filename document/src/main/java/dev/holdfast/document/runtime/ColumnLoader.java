package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.SequentialFields;
import dev.holdfast.document.SourceReading;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.jspecify.annotations.Nullable;

/// Reads a column out of the sources of a segment, deleted documents included: other commits of the
/// same segment may still have those.
final class ColumnLoader {
  /// Documents read between two looks at whether the search is cancelled.
  private static final int LOOK_EVERY = 64;

  private ColumnLoader() {}

  /// @param sources how the source of a document is told
  /// @param memory hears how many bytes are taken by now, before they grow much beyond it
  /// @throws Refusal `task_cancelled_exception`, or what `memory` throws
  static RuntimeColumn load(
      LeafReader segment,
      String path,
      FieldType type,
      SourceReading sources,
      LongConsumer memory,
      BooleanSupplier isCancelled)
      throws IOException {
    ColumnBuilder builder = new ColumnBuilder(path, type);
    StoredFields stored = SequentialFields.of(segment);
    NumericDocValues roots =
        sources.equals(SourceReading.STORED)
            ? null
            : segment.getNumericDocValues(MetadataFields.PRIMARY_TERM);
    Source source = new Source();
    for (int doc = 0; doc < segment.maxDoc(); doc++) {
      if (doc % LOOK_EVERY == 0) {
        if (isCancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
        }
        memory.accept(builder.bytes());
      }
      source.bytes = null;
      stored.document(doc, source);
      byte[] kept = source.bytes;
      // Nested objects have none; a document may be told without anything that is kept of it.
      boolean isTold = roots == null ? kept != null : roots.advanceExact(doc);
      builder.add(isTold ? sources.read(segment, doc, kept) : null);
    }
    memory.accept(builder.bytesToFinish());
    RuntimeColumn column = builder.finish();
    memory.accept(column.bytes());
    return column;
  }

  /// Makes a column with the script of its field, deleted documents included.
  ///
  /// @throws Refusal as [#load]; documents that the script fails on do not stop it
  static RuntimeColumn make(
      LeafReader segment,
      String path,
      FieldType type,
      ScriptRows rows,
      LongConsumer memory,
      BooleanSupplier isCancelled) {
    ColumnBuilder builder = new ColumnBuilder(path, type);
    for (int doc = 0; doc < segment.maxDoc(); doc++) {
      if (doc % LOOK_EVERY == 0) {
        if (isCancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
        }
        memory.accept(builder.bytes());
      }
      EmittedRow row;
      try {
        row = rows.of(doc);
      } catch (Refusal e) {
        if (e.type() != ErrorType.SCRIPT) {
          throw e;
        }
        builder.add(e);
        continue;
      }
      builder.add(row);
    }
    memory.accept(builder.bytesToFinish());
    RuntimeColumn column = builder.finish();
    memory.accept(column.bytes());
    return column;
  }

  private static final class Source extends StoredFieldVisitor {
    private byte @Nullable [] bytes;

    @Override
    public Status needsField(FieldInfo field) {
      return field.name.equals(MetadataFields.SOURCE) ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      bytes = value;
    }
  }
}
