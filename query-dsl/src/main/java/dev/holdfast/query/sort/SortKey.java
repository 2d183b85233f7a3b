package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.lucene.search.SortField;
import org.jspecify.annotations.Nullable;

/// One key of a sort, bound to an index. Its values have three forms: Lucene's, the one in which
/// shards are merged (Long, Double, Float or BytesRef, null for a missing term), and the one the
/// client sees.
public interface SortKey {
  SortField lucene();

  /// The merged form of a value that Lucene gave.
  @Nullable Object mergeable(@Nullable Object lucene);

  /// Lucene's form of a value of `search_after`.
  @Nullable Object after(JsonNode shown, long nowMillis);

  /// Lucene's form of a merged value: the inverse of [#mergeable].
  @Nullable Object resumed(@Nullable Object mergeable);

  /// What the client sees: Long, Double, Float, String or null.
  @Nullable Object shown(@Nullable Object mergeable);

  /// What kind of number its values are, none of which is null; null for terms.
  default @Nullable String numberType() {
    return "LONG";
  }

  /// By score.
  record Score(SortField lucene) implements SortKey {
    @Override
    public @Nullable Object mergeable(@Nullable Object value) {
      return value;
    }

    @Override
    public Object after(JsonNode shown, long nowMillis) {
      return (float) shown.asDouble();
    }

    @Override
    public @Nullable Object shown(@Nullable Object mergeable) {
      return mergeable;
    }

    @Override
    public @Nullable Object resumed(@Nullable Object mergeable) {
      return mergeable;
    }
  }

  /// By position in the index.
  record Doc(SortField lucene) implements SortKey {
    @Override
    public @Nullable Object mergeable(@Nullable Object value) {
      return value instanceof Number number ? (Object) number.longValue() : null;
    }

    @Override
    public Object after(JsonNode shown, long nowMillis) {
      return shown.asInt();
    }

    @Override
    public @Nullable Object shown(@Nullable Object mergeable) {
      return mergeable;
    }

    @Override
    public @Nullable Object resumed(@Nullable Object mergeable) {
      return mergeable instanceof Number number ? (Object) number.intValue() : null;
    }
  }

  /// By shard, then by position in it.
  ///
  /// @param ordinal of the shard
  record ShardDoc(SortField lucene, int ordinal) implements SortKey {
    @Override
    public @Nullable Object mergeable(@Nullable Object value) {
      return value instanceof Number number
          ? (Object) ((long) ordinal << 32 | number.intValue())
          : null;
    }

    @Override
    public Object after(JsonNode shown, long nowMillis) {
      int other = (int) (shown.asLong() >>> 32);
      if (other == ordinal) {
        return (int) shown.asLong();
      }
      return (other < ordinal) == lucene.getReverse() ? Integer.MAX_VALUE : -1;
    }

    @Override
    public @Nullable Object shown(@Nullable Object mergeable) {
      return mergeable;
    }

    @Override
    public @Nullable Object resumed(@Nullable Object mergeable) {
      return mergeable instanceof Number number ? (Object) number.intValue() : null;
    }
  }
}
