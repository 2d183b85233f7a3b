package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.DistinctHashes;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.LongColumn;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.column.SegmentMemory;
import dev.holdfast.query.aggregation.column.TermColumn;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.BucketOrdinals;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PerBucket;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.LongBitSet;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// How many distinct values a field has: exact up to a threshold, estimated beyond.
public record Cardinality(Label label, FieldRequest field, int threshold) implements Aggregation {
  private static final int THRESHOLD_DEFAULT = 3_000;
  private static final int THRESHOLD_MAX = 40_000;
  private static final int SEED = 0;

  /// Ways to count: here there is one.
  private static final List<String> EXECUTION_HINTS =
      List.of(
          "save_memory_heuristic",
          "save_time_heuristic",
          "global_ordinals",
          "segment_ordinals",
          "direct");

  public static Aggregation parse(Definition definition) {
    FieldRequest field = FieldRequest.parse(definition.body());
    long threshold = definition.body().longValue("precision_threshold", THRESHOLD_DEFAULT);
    definition.body().longValue("rehash", 0);
    definition.body().choice("execution_hint", EXECUTION_HINTS);
    ParsedField.check(
        threshold >= 0,
        "cardinality",
        "precision_threshold",
        "[precisionThreshold] must be greater than or equal to 0. Found ["
            + threshold
            + "] in ["
            + definition.label().name()
            + "]");
    return new Cardinality(definition.label(), field, (int) Math.min(threshold, THRESHOLD_MAX));
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) {
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() == ValuesKind.BINARY) {
      throw field.unsupported(bound);
    }
    return new Counting(bound, context.memory());
  }

  @Override
  public Partial empty() {
    return new Distinct(new DistinctHashes(threshold), threshold);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return new Distinct(DistinctHashes.read(in.data(), threshold), threshold);
  }

  /// The different values of some documents.
  ///
  /// @param hashes never changed
  public record Distinct(DistinctHashes hashes, int threshold) implements Partial {
    @Override
    public Partial merge(Partial other) {
      DistinctHashes both = new DistinctHashes(threshold);
      both.addAll(hashes);
      both.addAll(((Distinct) other).hashes);
      return new Distinct(both, threshold);
    }

    @Override
    public String typeName() {
      return "cardinality";
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      out.writeNumberField("value", hashes.count());
    }

    @Override
    public boolean isSingleNumber() {
      return true;
    }

    @Override
    public double metric(String property) {
      return hashes.count();
    }

    @Override
    public void write(WireOutput out) throws IOException {
      hashes.write(out);
    }
  }

  private final class Counting implements Collecting {
    private final BoundField bound;
    private final Reservation memory;
    private final SegmentMemory seenMemory;
    private final SegmentMemory hashMemory;
    private final PerBucket<DistinctHashes> hashes;
    private @Nullable SeenOrdinals seen;
    private int emptyLeaves;
    private int numberLeaves;
    private int ordinalLeaves;

    Counting(BoundField bound, Reservation memory) {
      this.memory = memory;
      this.seenMemory = new SegmentMemory(memory);
      this.hashMemory = new SegmentMemory(memory);
      this.hashes = new PerBucket<>(() -> new DistinctHashes(threshold, memory::add), memory);
      this.bound = bound;
    }

    @Override
    public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
      flush();
      if (bound.kind().hasOrdinals()) {
        TermColumn column = TermColumn.open(segment.reader(), bound);
        if (column == null) {
          emptyLeaves++;
          return null;
        }
        ordinalLeaves++;
        SeenOrdinals leaf = new SeenOrdinals(column);
        seen = leaf;
        return leaf;
      }
      LongColumn column = LongColumn.open(segment.reader(), bound);
      if (column == null) {
        emptyLeaves++;
        return null;
      }
      numberLeaves++;
      return new Numbers(column);
    }

    @Override
    public Partial result(long bucket) throws IOException {
      flush();
      DistinctHashes found = hashes.find(bucket);
      return found == null ? empty() : new Distinct(found, threshold);
    }

    @Override
    public void describe(ObjectNode debug) {
      debug.put("empty_collectors_used", emptyLeaves);
      debug.put("numeric_collectors_used", numberLeaves);
      debug.put("ordinals_collectors_used", ordinalLeaves);
      debug.put("ordinals_collectors_overhead_too_high", 0);
      debug.put("string_hashing_collectors_used", 0);
    }

    private void flush() throws IOException {
      SeenOrdinals leaf = seen;
      seen = null;
      if (leaf != null) {
        leaf.hashTerms();
      }
    }

    private final class Numbers implements Leaf {
      private final LongColumn column;

      Numbers(LongColumn column) {
        this.column = column;
      }

      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        DistinctHashes ofBucket = hashes.of(bucket);
        column.read(docs, from, to);
        for (int i = 0; i < column.count; i++) {
          ofBucket.add(DistinctHashes.hash(column.values[i]));
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        column.readPairs(docs, count);
        for (int i = 0; i < column.count; i++) {
          hashes.of(buckets[column.origin(i)]).add(DistinctHashes.hash(column.values[i]));
        }
      }
    }

    /// Ordinals seen in one segment; each is hashed once, at its end.
    private final class SeenOrdinals implements Leaf {
      private final TermColumn column;
      private final LongBitSet first;
      private final BucketOrdinals others = new BucketOrdinals(memory);

      SeenOrdinals(TermColumn column) {
        this.column = column;
        seenMemory.need(column.ordinals() / Byte.SIZE);
        this.first = new LongBitSet(column.ordinals());
      }

      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        column.read(docs, from, to);
        if (bucket == 0) {
          for (int i = 0; i < column.count; i++) {
            first.set(column.values[i]);
          }
        } else {
          for (int i = 0; i < column.count; i++) {
            others.add(bucket, column.values[i]);
          }
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        column.readPairs(docs, count);
        for (int i = 0; i < column.count; i++) {
          others.add(buckets[column.origins[i]], column.values[i]);
        }
      }

      void hashTerms() throws IOException {
        for (long ordinal = next(first, 0); ordinal >= 0; ordinal = next(first, ordinal + 1)) {
          StopSignal.pollForCancelling();
          hashes.of(0).add(hash(column.term(ordinal)));
        }
        if (column.ordinals() > others.size()) {
          for (int i = 0; i < others.size(); i++) {
            hashes.of(others.parent(i)).add(hash(column.term(others.value(i))));
          }
        } else {
          addOncePerTerm();
        }
      }

      /// As many buckets have the same terms: each is looked up once, in the order in which they
      /// lie in the dictionary, not once for each bucket.
      private void addOncePerTerm() throws IOException {
        hashMemory.need(column.ordinals() * Long.BYTES);
        LongBitSet wanted = new LongBitSet(column.ordinals());
        for (int i = 0; i < others.size(); i++) {
          wanted.set(others.value(i));
        }
        long[] hashOf = new long[Math.toIntExact(column.ordinals())];
        for (long ordinal = next(wanted, 0); ordinal >= 0; ordinal = next(wanted, ordinal + 1)) {
          StopSignal.pollForCancelling();
          hashOf[(int) ordinal] = hash(column.term(ordinal));
        }
        for (int i = 0; i < others.size(); i++) {
          hashes.of(others.parent(i)).add(hashOf[(int) others.value(i)]);
        }
      }

      private static long next(LongBitSet set, long from) {
        return from < set.length() ? set.nextSetBit(from) : -1;
      }
    }
  }

  private static long hash(BytesRef term) {
    return StringHelper.murmurhash3_x64_128(term.bytes, term.offset, term.length, SEED)[0];
  }
}
