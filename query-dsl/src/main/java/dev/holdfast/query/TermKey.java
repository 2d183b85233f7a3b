package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A sort by terms.
///
/// @param format null for an unmapped field
record TermKey(SortField lucene, @Nullable ValueFormat format) implements SortKey {
  static SortKey of(SortSpec spec, ValueFormat format) {
    if (spec.mode() != null
        && spec.mode() != SortSpec.Mode.MIN
        && spec.mode() != SortSpec.Mode.MAX) {
      throw Refusal.badArgument("we only support AVG, MEDIAN and SUM on number based fields");
    }
    JsonNode missing = spec.missingValue();
    return new TermKey(
        missing == null ? field(spec) : withMissing(spec, format.toTerm(missing)), format);
  }

  static SortField field(SortSpec spec) {
    SortedSetSortField field =
        new SortedSetSortField(spec.field(), spec.isDescending(), selector(spec));
    // Lucene means first and last before it reverses.
    boolean isLast = spec.isMissingFirst() == spec.isDescending();
    field.setMissingValue(isLast ? SortField.STRING_LAST : SortField.STRING_FIRST);
    return field;
  }

  private static SortedSetSelector.Type selector(SortSpec spec) {
    boolean isMax = spec.mode() == null ? spec.isDescending() : spec.mode() == SortSpec.Mode.MAX;
    return isMax ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN;
  }

  private static SortField withMissing(SortSpec spec, BytesRef missing) {
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            return new FieldComparator.TermValComparator(hits, field, false) {
              @Override
              protected BinaryDocValues getBinaryDocValues(LeafReaderContext leaf, String name)
                  throws IOException {
                SortedDocValues values =
                    SortedSetSelector.wrap(
                        DocValues.getSortedSet(leaf.reader(), name), selector(spec));
                return new Substituted(values, missing);
              }
            };
          }
        };
    return new SortField(spec.field(), source, spec.isDescending());
  }

  @Override
  public @Nullable Object mergeable(@Nullable Object value) {
    return value;
  }

  @Override
  public @Nullable Object after(JsonNode shown, long nowMillis) {
    if (shown.isNull()) {
      return null;
    }
    return format == null ? new BytesRef(shown.asText()) : format.toTerm(shown);
  }

  @Override
  public @Nullable Object shown(@Nullable Object mergeable) {
    return mergeable instanceof BytesRef term
        ? format == null ? term.utf8ToString() : format.toText(term)
        : null;
  }

  /// Terms of a field, with one for the documents that have none.
  private static final class Substituted extends BinaryDocValues {
    private final SortedDocValues values;
    private final BytesRef missing;
    private boolean isMissing;

    Substituted(SortedDocValues values, BytesRef missing) {
      this.values = values;
      this.missing = missing;
    }

    @Override
    public BytesRef binaryValue() throws IOException {
      return isMissing ? missing : values.lookupOrd(values.ordValue());
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      isMissing = !values.advanceExact(target);
      return true;
    }

    @Override
    public int docID() {
      return values.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return values.nextDoc();
    }

    @Override
    public int advance(int target) throws IOException {
      return values.advance(target);
    }

    @Override
    public long cost() {
      return values.cost();
    }
  }
}
