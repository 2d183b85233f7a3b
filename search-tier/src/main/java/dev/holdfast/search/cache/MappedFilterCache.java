package dev.holdfast.search.cache;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.jspecify.annotations.Nullable;

/// A filter cache for a search with runtime fields: it knows filters over mapped fields only, since
/// other searches of the same segments may mean other fields by the same names.
///
/// @param runtime paths of the runtime fields
public record MappedFilterCache(QueryCache filters, Set<String> runtime) implements QueryCache {
  private static final List<Class<? extends Query>> COMBINING =
      List.of(
          BooleanQuery.class,
          BoostQuery.class,
          ConstantScoreQuery.class,
          DisjunctionMaxQuery.class);

  @Override
  public Weight doCache(Weight weight, QueryCachingPolicy policy) {
    Fields fields = new Fields(runtime);
    weight.getQuery().visit(fields);
    return fields.mayBeRuntime ? weight : filters.doCache(weight, policy);
  }

  /// Looks at the fields of a query. One that does not name its field may have any.
  private static final class Fields extends QueryVisitor {
    private final Set<String> runtime;
    private boolean isNamed;
    private boolean mayBeRuntime;

    Fields(Set<String> runtime) {
      this.runtime = runtime;
    }

    /// @param field null of spans of no term, which find nothing
    @Override
    public boolean acceptField(@Nullable String field) {
      isNamed = true;
      mayBeRuntime |= field != null && runtime.contains(field);
      return true;
    }

    @Override
    public void visitLeaf(Query query) {
      mayBeRuntime |= !isNamed;
      isNamed = false;
    }

    @Override
    public void consumeTerms(Query query, Term... terms) {
      for (Term term : terms) {
        mayBeRuntime |= runtime.contains(term.field());
      }
      isNamed = false;
    }

    @Override
    public void consumeTermsMatching(
        Query query, String field, Supplier<ByteRunAutomaton> automaton) {
      mayBeRuntime |= runtime.contains(field);
      isNamed = false;
    }

    /// Queries that do more than to combine others may read fields that they do not tell.
    @Override
    public QueryVisitor getSubVisitor(Occur occur, Query parent) {
      mayBeRuntime |= COMBINING.stream().noneMatch(kind -> kind.isInstance(parent));
      return this;
    }
  }
}
