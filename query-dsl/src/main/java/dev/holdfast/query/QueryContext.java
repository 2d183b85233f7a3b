package dev.holdfast.query;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.world.Refusal;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// What queries, sorts and aggregations know of the shard they run on.
///
/// @param index name of the index, for messages and `_index`
/// @param shard number of the shard
/// @param ordinal position of the shard among all that are searched
/// @param searcher over the commit being searched
/// @param nowMillis what `now` means, the same for the whole request
/// @param isCancelled asked now and then by long loops
/// @param scope path of the nested objects that a query is about; null for documents
/// @param allowsExpensive `search.allow_expensive_queries`
/// @param node id of the node that searches; empty where nobody asks
/// @param times where aggregations note how long they take; null when nobody asks
public record QueryContext(
    String index,
    int shard,
    int ordinal,
    Mapping mapping,
    IndexSearcher searcher,
    long nowMillis,
    BooleanSupplier isCancelled,
    @Nullable String scope,
    boolean allowsExpensive,
    String node,
    @Nullable AggregationTimes times) {

  /// A shard among all that are searched.
  public QueryContext(
      String index,
      int shard,
      int ordinal,
      Mapping mapping,
      IndexSearcher searcher,
      long nowMillis,
      BooleanSupplier isCancelled) {
    this(index, shard, ordinal, mapping, searcher, nowMillis, isCancelled, null, true, "", null);
  }

  /// The same inside of nested objects; for null, among documents.
  public QueryContext within(@Nullable String path) {
    Draft draft = new Draft(this);
    draft.scope = path;
    return draft.finished();
  }

  /// The same over another searcher of the same commit.
  public QueryContext over(IndexSearcher other) {
    Draft draft = new Draft(this);
    draft.searcher = other;
    return draft.finished();
  }

  /// The same in a cluster that allows expensive queries or does not.
  public QueryContext allowingExpensive(boolean allowed) {
    Draft draft = new Draft(this);
    draft.allowsExpensive = allowed;
    return draft.finished();
  }

  /// The same on a node that hits may name.
  public QueryContext on(String searching) {
    Draft draft = new Draft(this);
    draft.node = searching;
    return draft.finished();
  }

  /// The same with aggregations measured.
  public QueryContext timed(AggregationTimes measured) {
    Draft draft = new Draft(this);
    draft.times = measured;
    return draft.finished();
  }

  /// Asked by queries whose cost grows with the index rather than with what they find.
  ///
  /// @param queries their kind as the message names it
  /// @param advice what to do instead
  /// @throws Refusal when the cluster allows none
  public void beExpensive(String queries, String advice) {
    if (!allowsExpensive) {
      throw Refusal.badArgument(
          queries
              + " cannot be executed when 'search.allow_expensive_queries' is set to false."
              + advice);
    }
  }

  /// What a search as a whole runs: the query, over the documents themselves where the index has
  /// nested objects too.
  public Query overRoots(Query query) {
    if (!mapping.hasNested()) {
      return query;
    }
    return query instanceof MatchAllDocsQuery
        ? new ConstantScoreQuery(NestedDocuments.roots())
        : new BooleanQuery.Builder()
            .add(query, Occur.MUST)
            .add(NestedDocuments.roots(), Occur.FILTER)
            .build();
  }

  /// A shard that is searched alone.
  public QueryContext(
      String index,
      int shard,
      Mapping mapping,
      IndexSearcher searcher,
      long nowMillis,
      BooleanSupplier isCancelled) {
    this(index, shard, 0, mapping, searcher, nowMillis, isCancelled);
  }

  /// The full path of the field that a name means: an alias stands for another.
  public String path(String field) {
    MappedField mapped = mapping.field(field);
    return mapped == null ? field : mapped.path();
  }

  /// The type of a field, or null when unmapped.
  public @Nullable FieldType type(String field) {
    MappedField mapped = mapping.field(field);
    return mapped == null ? null : mapped.type();
  }

  /// What differs between contexts of one shard.
  private static final class Draft {
    private final QueryContext of;
    private IndexSearcher searcher;
    private @Nullable String scope;
    private boolean allowsExpensive;
    private String node;
    private @Nullable AggregationTimes times;

    private Draft(QueryContext of) {
      this.of = of;
      searcher = of.searcher;
      scope = of.scope;
      allowsExpensive = of.allowsExpensive;
      node = of.node;
      times = of.times;
    }

    private QueryContext finished() {
      return new QueryContext(
          of.index,
          of.shard,
          of.ordinal,
          of.mapping,
          searcher,
          of.nowMillis,
          of.isCancelled,
          scope,
          allowsExpensive,
          node,
          times);
    }
  }
}
