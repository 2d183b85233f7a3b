package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.script.ScriptedShard;
import dev.holdfast.script.context.NumberSortScript;
import dev.holdfast.script.context.ScoredScript;
import dev.holdfast.script.context.StringSortScript;
import java.io.IOException;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.comparators.DoubleComparator;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A sort by numbers that a script makes.
record ScriptKey(SortField lucene) implements SortKey {
  static SortKey of(SortSpec spec, ScriptSort sort, QueryContext context) {
    return sort.isText() ? texts(spec, sort, context) : numbers(spec, sort, context);
  }

  /// A script that has been told where scores come from.
  private abstract static class Scored {
    @Nullable Scorable scorer;

    void listen(ScoredScript script) {
      script.scoreBy(() -> scorer == null ? 0 : scorer.score());
    }
  }

  private static final class Scores extends Scored {}

  private static SortKey numbers(SortSpec spec, ScriptSort sort, QueryContext context) {
    ScriptedShard<NumberSortScript> shard =
        ScriptedShard.of(sort.script(), NumberSortScript.SHAPE, NumberSortScript.class, context);
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            return new DoubleComparator(hits, field, Double.MAX_VALUE, reversed, Pruning.NONE) {
              @Override
              public LeafFieldComparator getLeafComparator(LeafReaderContext leaf)
                  throws IOException {
                NumberSortScript script = shard.in(leaf);
                Scores scores = new Scores();
                scores.listen(script);
                return new DoubleLeafComparator(leaf) {
                  @Override
                  protected NumericDocValues getNumericDocValues(
                      LeafReaderContext of, String name) {
                    return new Made(script);
                  }

                  @Override
                  public void setScorer(Scorable scorer) throws IOException {
                    scores.scorer = scorer;
                    super.setScorer(scorer);
                  }
                };
              }
            };
          }
        };
    return new ScriptKey(new SortField("_script", source, spec.isDescending()));
  }

  private static SortKey texts(SortSpec spec, ScriptSort sort, QueryContext context) {
    ScriptedShard<StringSortScript> shard =
        ScriptedShard.of(sort.script(), StringSortScript.SHAPE, StringSortScript.class, context);
    FieldComparatorSource source =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String field, int hits, Pruning pruning, boolean reversed) {
            Scores scores = new Scores();
            return new FieldComparator.TermValComparator(hits, field, true) {
              @Override
              protected BinaryDocValues getBinaryDocValues(LeafReaderContext leaf, String name) {
                StringSortScript script = shard.in(leaf);
                scores.listen(script);
                return new MadeText(script);
              }

              @Override
              public void setScorer(Scorable scorer) {
                scores.scorer = scorer;
                super.setScorer(scorer);
              }
            };
          }
        };
    return new TermKey(new SortField("_script", source, spec.isDescending()), null);
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
  public Object after(JsonNode shown, long nowMillis) {
    return shown.isTextual() ? Double.parseDouble(shown.asText()) : shown.asDouble();
  }

  @Override
  public @Nullable Object shown(@Nullable Object mergeable) {
    return mergeable;
  }

  /// The number of each document.
  private static final class Made extends NumericDocValues {
    private final NumberSortScript script;
    private int doc = -1;

    Made(NumberSortScript script) {
      this.script = script;
    }

    @Override
    public long longValue() {
      script.moveTo(doc);
      return Double.doubleToRawLongBits(script.execute());
    }

    @Override
    public boolean advanceExact(int target) {
      doc = target;
      return true;
    }

    @Override
    public int docID() {
      return doc;
    }

    @Override
    public int nextDoc() {
      return ++doc;
    }

    @Override
    public int advance(int target) {
      doc = target;
      return doc;
    }

    @Override
    public long cost() {
      return 1;
    }
  }

  /// The text of each document; none for null.
  private static final class MadeText extends BinaryDocValues {
    private final BinaryDocValues none = DocValues.emptyBinary();
    private final StringSortScript script;
    private BytesRef text = new BytesRef();

    MadeText(StringSortScript script) {
      this.script = script;
    }

    @Override
    public boolean advanceExact(int target) {
      script.moveTo(target);
      String made = script.execute();
      text = new BytesRef(made == null ? "" : made);
      return made != null;
    }

    @Override
    public BytesRef binaryValue() {
      return text;
    }

    @Override
    public int docID() {
      return none.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return none.nextDoc();
    }

    @Override
    public int advance(int target) throws IOException {
      return none.advance(target);
    }

    @Override
    public long cost() {
      return 1;
    }
  }
}
