package dev.holdfast.query;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// What queries, sorts and aggregations know of the shard they run on.
///
/// @param index name of the index, for messages and `_index`
/// @param shard number of the shard
/// @param searcher over the commit being searched
/// @param nowMillis what `now` means, the same for the whole request
/// @param isCancelled asked now and then by long loops
public record QueryContext(
    String index,
    int shard,
    Mapping mapping,
    IndexSearcher searcher,
    long nowMillis,
    BooleanSupplier isCancelled) {

  /// The type of a field, or null when unmapped.
  public @Nullable FieldType type(String field) {
    MappedField mapped = mapping.field(field);
    return mapped == null ? null : mapped.type();
  }
}
