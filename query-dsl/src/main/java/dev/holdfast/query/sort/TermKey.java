package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.TermValues;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.comparators.TermOrdValComparator;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A sort by terms.
///
/// @param format null for an unmapped field
record TermKey(SortField lucene, @Nullable ValueFormat format) implements SortKey {
  /// A sort by bytes, of which a document has one value and which have no ordinals.
  static SortKey ofBytes(SortSpec spec, ValueFormat format) {
    requireExtreme(spec);
    if (spec.missingValue() != null) {
      throw Refusal.badArgument(
          "[missing] of a sort by binary field [" + spec.field() + "] takes [_last] and [_first]");
    }
    return new TermKey(
        new SortField(
            spec.field(), SortField.Type.STRING_VAL, spec.isDescending(), whenMissing(spec)),
        format);
  }

  private static void requireExtreme(SortSpec spec) {
    if (spec.mode() != null
        && spec.mode() != SortSpec.Mode.MIN
        && spec.mode() != SortSpec.Mode.MAX) {
      throw Refusal.badArgument("we only support AVG, MEDIAN and SUM on number based fields");
    }
  }

  /// Lucene means first and last before it reverses.
  private static Object whenMissing(SortSpec spec) {
    boolean isLast = spec.isMissingFirst() == spec.isDescending();
    return isLast ? SortField.STRING_LAST : SortField.STRING_FIRST;
  }

  /// @param isVirtual whether the terms lie elsewhere than in doc values of the field itself
  ///
  /// @param objects nested objects that have the terms; null when documents have
  static SortKey of(
      SortSpec spec, ValueFormat format, boolean isVirtual, @Nullable NestedChildren objects) {
    requireExtreme(spec);
    JsonNode missing = spec.missingValue();
    return new TermKey(
        missing == null
            ? field(spec, isVirtual, objects)
            : withMissing(spec, format.toTerm(missing), objects),
        format);
  }

  /// The same term for every document of an index.
  static SortKey constant(SortSpec spec, String term) {
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            return new FieldComparator.TermValComparator(hits, field, false) {
              @Override
              protected BinaryDocValues getBinaryDocValues(LeafReaderContext leaf, String name) {
                return new Substituted(DocValues.emptySorted(), new BytesRef(term));
              }
            };
          }
        };
    return new TermKey(new SortField(spec.field(), source, spec.isDescending()), null);
  }

  static SortField field(SortSpec spec, boolean isVirtual, @Nullable NestedChildren objects) {
    SortedSetSortField field =
        isVirtual || objects != null
            ? virtual(spec, objects)
            : new SortedSetSortField(spec.field(), spec.isDescending(), selector(spec));
    field.setMissingValue(whenMissing(spec));
    return field;
  }

  /// Lucene's competitive iterators ask the field of that name, which there is none of: no pruning.
  private static SortedSetSortField virtual(SortSpec spec, @Nullable NestedChildren objects) {
    return new SortedSetSortField(spec.field(), spec.isDescending(), selector(spec)) {
      @Override
      public FieldComparator<?> getComparator(int hits, Pruning pruning) {
        boolean isMissingLast = STRING_LAST.equals(getMissingValue());
        return new TermOrdValComparator(
            hits, getField(), isMissingLast, getReverse(), Pruning.NONE) {
          @Override
          protected SortedDocValues getSortedDocValues(LeafReaderContext leaf, String name)
              throws IOException {
            return selected(leaf, name, spec, objects);
          }
        };
      }
    };
  }

  private static SortedSetSelector.Type selector(SortSpec spec) {
    boolean isMax = spec.mode() == null ? spec.isDescending() : spec.mode() == SortSpec.Mode.MAX;
    return isMax ? SortedSetSelector.Type.MAX : SortedSetSelector.Type.MIN;
  }

  private static SortedDocValues selected(
      LeafReaderContext leaf, String name, SortSpec spec, @Nullable NestedChildren objects)
      throws IOException {
    SortedSetDocValues terms = TermValues.of(leaf.reader(), name);
    return SortedSetSelector.wrap(
        objects == null ? terms : objects.terms(leaf, terms), selector(spec));
  }

  private static SortField withMissing(
      SortSpec spec, BytesRef missing, @Nullable NestedChildren objects) {
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            return new FieldComparator.TermValComparator(hits, field, false) {
              @Override
              protected BinaryDocValues getBinaryDocValues(LeafReaderContext leaf, String name)
                  throws IOException {
                return new Substituted(selected(leaf, name, spec, objects), missing);
              }
            };
          }
        };
    return new SortField(spec.field(), source, spec.isDescending());
  }

  @Override
  public @Nullable String numberType() {
    return null;
  }

  @Override
  public @Nullable Object mergeable(@Nullable Object value) {
    return value;
  }

  @Override
  public @Nullable Object resumed(@Nullable Object mergeable) {
    return mergeable;
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
