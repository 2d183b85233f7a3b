package dev.holdfast.indexing.recovery;

import static org.apache.lucene.search.DocIdSetIterator.NO_MORE_DOCS;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.Routing;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/// The documents of a segment that are routed to other shards, nested objects with their document.
/// Found from the terms of `_routing` and `_id`, each hashed once: no stored field is read.
final class ForeignDocuments extends Query {
  private final ShardLayout layout;
  private final int number;
  private final int partition;

  /// @param layout which shard of the index a document belongs to
  /// @param partition shards that documents of one routing are spread over
  /// @param number of the shard whose documents are not foreign
  ForeignDocuments(ShardLayout layout, int number, int partition) {
    this.layout = layout;
    this.number = number;
    this.partition = partition;
  }

  /// Those of a shard of an index as it is now.
  static ForeignDocuments of(IndexMetadata index, int number) {
    return new ForeignDocuments(index.layout(), number, Routing.partition(index.settings()));
  }

  /// How many there are in a commit. What is read for that is read again when they are deleted. A
  /// [StopSignal] ends it.
  int countIn(Directory commit) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(commit)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      return searcher.count(this);
    }
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        FixedBitSet foreign = foreign(context.reader());
        return ConstantScoreScorerSupplier.fromIterator(
            new BitSetIterator(foreign, foreign.cardinality()),
            score(),
            scoreMode,
            context.reader().maxDoc());
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return false;
      }
    };
  }

  private FixedBitSet foreign(LeafReader reader) throws IOException {
    FixedBitSet foreign = new FixedBitSet(reader.maxDoc());
    addForeign(reader.terms(MetadataFields.ID), foreign);
    Terms routings = reader.terms(MetadataFields.ROUTING);
    if (routings != null) {
      reroute(reader, routings, foreign);
    }
    return foreign;
  }

  /// Sets the documents of all terms that another shard has.
  private void addForeign(@Nullable Terms terms, FixedBitSet documents) throws IOException {
    if (terms == null) {
      return;
    }
    TermHashes hashes = new TermHashes();
    TermsEnum each = terms.iterator();
    PostingsEnum postings = null;
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      StopSignal.pollForCancelling();
      if (layout.shard(hashes.of(term)) != number) {
        postings = each.postings(postings, PostingsEnum.NONE);
        documents.or(postings);
      }
    }
  }

  /// The same where a routing alone does not say the shard.
  private void addForeignPartitioned(LeafReader reader, Terms routings, FixedBitSet documents)
      throws IOException {
    int[] offsets = new int[reader.maxDoc()];
    TermHashes hashes = new TermHashes();
    PostingsEnum postings = null;
    TermsEnum ids = reader.terms(MetadataFields.ID).iterator();
    for (BytesRef id = ids.next(); id != null; id = ids.next()) {
      StopSignal.pollForCancelling();
      int offset = Math.floorMod(hashes.of(id), partition);
      postings = ids.postings(postings, PostingsEnum.NONE);
      for (int d = postings.nextDoc(); d != NO_MORE_DOCS; d = postings.nextDoc()) {
        offsets[d] = offset;
      }
    }
    TermsEnum each = routings.iterator();
    for (BytesRef term = each.next(); term != null; term = each.next()) {
      StopSignal.pollForCancelling();
      int hash = hashes.of(term);
      postings = each.postings(postings, PostingsEnum.NONE);
      for (int d = postings.nextDoc(); d != NO_MORE_DOCS; d = postings.nextDoc()) {
        if (layout.shard(hash + offsets[d]) != number) {
          documents.set(d);
        }
      }
    }
  }

  /// Documents with a routing go where that says. Only the document itself has it, which is the
  /// last of its block; of those in a block that are set by their id, all are or none.
  private void reroute(LeafReader reader, Terms routings, FixedBitSet foreign) throws IOException {
    FixedBitSet routed = new FixedBitSet(reader.maxDoc());
    TermsEnum each = routings.iterator();
    PostingsEnum postings = null;
    while (each.next() != null) {
      postings = each.postings(postings, PostingsEnum.NONE);
      routed.or(postings);
    }
    FixedBitSet foreignByRouting = new FixedBitSet(reader.maxDoc());
    if (partition == 1) {
      addForeign(routings, foreignByRouting);
    } else {
      addForeignPartitioned(reader, routings, foreignByRouting);
    }
    NumericDocValues roots = reader.getNumericDocValues(MetadataFields.PRIMARY_TERM);
    if (roots == null) {
      return;
    }
    int first = 0;
    for (int root = roots.nextDoc(); root != NO_MORE_DOCS; root = roots.nextDoc()) {
      if (routed.get(root)) {
        if (foreignByRouting.get(root)) {
          foreign.set(first, root + 1);
        } else {
          foreign.clear(first, root + 1);
        }
      }
      first = root + 1;
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "not routed to " + number + " of " + layout;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ForeignDocuments that
        && that.layout.equals(layout)
        && that.number == number
        && that.partition == partition;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * layout.hashCode() + number) + partition;
  }
}
