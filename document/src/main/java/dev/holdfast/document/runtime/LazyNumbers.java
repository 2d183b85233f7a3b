package dev.holdfast.document.runtime;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.jspecify.annotations.Nullable;

/// The numbers of a scripted field, made when they are asked for: what else a search asks of
/// documents is asked first. Once a search has asked for many of a segment, the column is made if
/// more than this reader will use it. Iterates over all documents, some of which have no values
/// then.
final class LazyNumbers extends SortedNumericDocValues {
  /// Of the documents of a segment that are run one by one.
  private static final int SHARE_MAX = 16;

  private static final int FEW = 256;
  private static final int LOOK_EVERY = 64;

  /// Makes the column of the segment.
  interface Loading {
    /// @return null when nobody else has wanted it yet
    @Nullable RuntimeColumn load() throws IOException;
  }

  private final ScriptRows rows;
  private final int documents;
  private final int runsMax;
  private final BooleanSupplier isCancelled;
  private final Loading loading;
  private @Nullable SortedNumericDocValues whole;
  private @Nullable EmittedRow row;
  private boolean isAlone;
  private int doc = -1;
  private int at;
  private int runs;

  LazyNumbers(ScriptRows rows, int documents, BooleanSupplier isCancelled, Loading loading) {
    this.rows = rows;
    this.documents = documents;
    this.runsMax = Math.max(FEW, documents / SHARE_MAX);
    this.isCancelled = isCancelled;
    this.loading = loading;
  }

  private EmittedRow row() {
    if (row == null) {
      if (++runs % LOOK_EVERY == 0 && isCancelled.getAsBoolean()) {
        throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
      }
      row = rows.of(doc);
      at = 0;
    }
    return row;
  }

  /// Whether the column is there by now.
  private @Nullable SortedNumericDocValues whole() throws IOException {
    if (whole == null && !isAlone && runs > runsMax) {
      try {
        RuntimeColumn made = loading.load();
        isAlone = made == null;
        whole = made == null ? null : made.numbers();
      } catch (Refusal e) {
        if (e.type() != ErrorType.CIRCUIT_BREAKING) {
          throw e;
        }
        isAlone = true; // there is no room: one by one, then
      }
    }
    return whole;
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    doc = target;
    row = null;
    SortedNumericDocValues known = whole();
    return known == null ? row().size() > 0 : known.advanceExact(target);
  }

  @Override
  public int advance(int target) throws IOException {
    row = null;
    SortedNumericDocValues known = whole();
    if (known != null) {
      doc = known.advance(target);
    } else {
      doc = target < documents ? target : DocIdSetIterator.NO_MORE_DOCS;
    }
    return doc;
  }

  @Override
  public int nextDoc() throws IOException {
    return advance(doc + 1);
  }

  @Override
  public int docValueCount() {
    return whole == null ? row().size() : whole.docValueCount();
  }

  @Override
  public long nextValue() throws IOException {
    return whole == null ? row().number(at++) : whole.nextValue();
  }

  @Override
  public int docID() {
    return doc;
  }

  @Override
  public long cost() {
    return documents;
  }
}
