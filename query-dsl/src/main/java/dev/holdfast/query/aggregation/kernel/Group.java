package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/// Aggregations side by side at work on one shard, fed the same documents.
public final class Group {
  /// A result of one aggregation for one bucket, beside what it holds.
  private static final long ENTRY_BYTES = 48;

  private final AggregationTree tree;
  private final List<Collecting> members;
  private final Reservation memory;
  private final @Nullable DocumentCounts counts;

  /// @param memory of the request
  /// @param counts of the buckets that it is in; null where each document counts once
  Group(
      AggregationTree tree,
      List<Collecting> members,
      Reservation memory,
      @Nullable DocumentCounts counts) {
    this.memory = memory;
    this.counts = counts;
    this.tree = tree;
    this.members = members;
  }

  /// What the kind above asks before it makes more buckets for these.
  public Reservation memory() {
    return memory;
  }

  /// Notes buckets of a result that are made whether documents came to them or not.
  public void hold(long made) {
    memory.add(made * Reduction.BUCKET_BYTES);
  }

  /// Whether nothing wants to see the documents of buckets.
  public boolean isEmpty() {
    return members.isEmpty() && counts == null;
  }

  /// What a bucket shows of the documents that it has been given.
  ///
  /// @param documents how many they are
  public long count(long bucket, long documents) {
    return counts == null ? documents : documents + counts.more(bucket);
  }

  public boolean needsScores() {
    return members.stream().anyMatch(Collecting::needsScores);
  }

  public Collecting.@Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    List<Collecting.Leaf> leaves = new ArrayList<>(members.size() + 1);
    for (Collecting member : members) {
      Collecting.Leaf leaf = member.leaf(segment);
      if (leaf != null) {
        leaves.add(leaf);
      }
    }
    Collecting.Leaf counted = counts == null ? null : counts.leaf(segment);
    if (counted != null) {
      leaves.add(counted);
    }
    return switch (leaves.size()) {
      case 0 -> null;
      case 1 -> leaves.getFirst();
      default -> new Leaves(leaves.toArray(Collecting.Leaf[]::new));
    };
  }

  public Results results(long bucket) throws IOException {
    if (members.isEmpty()) {
      return Results.NONE;
    }
    StopSignal.pollForCancelling();
    memory.add(members.size() * ENTRY_BYTES);
    List<Results.Entry> entries = new ArrayList<>(members.size());
    for (int i = 0; i < members.size(); i++) {
      entries.add(
          new Results.Entry(tree.aggregations().get(i).label(), members.get(i).result(bucket)));
    }
    return new Results(entries);
  }

  private static final class Leaves implements Collecting.Leaf {
    private Collecting.Leaf[] leaves;

    Leaves(Collecting.Leaf[] leaves) {
      this.leaves = leaves;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      for (Collecting.Leaf leaf : leaves) {
        leaf.collect(docs, from, to, bucket);
      }
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (Collecting.Leaf leaf : leaves) {
        leaf.collect(docs, buckets, count);
      }
    }

    /// Those that need not see each document take leave.
    @Override
    public boolean collectWhole(long bucket) throws IOException {
      List<Collecting.Leaf> left = new ArrayList<>(leaves.length);
      for (Collecting.Leaf leaf : leaves) {
        if (!leaf.collectWhole(bucket)) {
          left.add(leaf);
        }
      }
      leaves = left.toArray(Collecting.Leaf[]::new);
      return leaves.length == 0;
    }

    @Override
    public void collectRange(int min, int max, long bucket) throws IOException {
      for (Collecting.Leaf leaf : leaves) {
        leaf.collectRange(min, max, bucket);
      }
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      for (Collecting.Leaf leaf : leaves) {
        leaf.setScorer(scorer);
      }
    }
  }

  /// How many more documents those of each bucket stand for than they are (`_doc_count`). Stands
  /// beside sub-aggregations and is fed like them, so that kinds of bucket need not know of it
  /// while they collect.
  static final class DocumentCounts {
    private final BucketCounts more;

    private DocumentCounts(Reservation memory) {
      this.more = new BucketCounts(memory);
    }

    /// @return null where every document of the shard stands for itself
    static @Nullable DocumentCounts of(IndexReader reader, Reservation memory) {
      for (LeafReaderContext segment : reader.leaves()) {
        if (isIn(segment)) {
          return new DocumentCounts(memory);
        }
      }
      return null;
    }

    private static boolean isIn(LeafReaderContext segment) {
      return segment.reader().getFieldInfos().fieldInfo(MetadataFields.DOC_COUNT) != null;
    }

    /// @return null where every document of the segment stands for itself
    Collecting.@Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
      NumericDocValues counts =
          isIn(segment) ? segment.reader().getNumericDocValues(MetadataFields.DOC_COUNT) : null;
      return counts == null ? null : new Documents(counts);
    }

    /// What a bucket's documents stand for beyond themselves.
    long more(long bucket) {
      return more.of(bucket);
    }

    private final class Documents implements Collecting.Leaf {
      private final NumericDocValues counts;

      Documents(NumericDocValues counts) {
        this.counts = counts;
      }

      @Override
      public void collect(int[] docs, int from, int to, long bucket) throws IOException {
        for (int i = from; i < to; i++) {
          add(docs[i], bucket);
        }
      }

      @Override
      public void collect(int[] docs, long[] buckets, int count) throws IOException {
        for (int i = 0; i < count; i++) {
          add(docs[i], buckets[i]);
        }
      }

      private void add(int doc, long bucket) throws IOException {
        if (counts.advanceExact(doc)) {
          more.add(bucket, counts.longValue() - 1);
        }
      }
    }
  }
}
