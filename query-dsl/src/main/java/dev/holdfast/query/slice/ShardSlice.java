package dev.holdfast.query.slice;

import dev.holdfast.document.MappedField;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Refusal;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// One of several disjoint parts of a search, as it falls on one shard: whole shards where there
/// are more shards than parts, else a share of one shard's documents.
///
/// @param id which part, from 0
/// @param max how many parts there are
/// @param field whose values choose the part; null for the documents' ids
/// @param shard position of the shard among all that are searched
/// @param shards how many are searched
public record ShardSlice(int id, int max, @Nullable String field, int shard, int shards) {
  /// Null for all documents of the shard.
  public @Nullable Query toLucene(QueryContext context) {
    if (field == null && max < shards) {
      return shard % max == id ? null : new MatchNoDocsQuery("another slice has this shard");
    }
    if (field == null && shards > 1) {
      int target = id % shards;
      if (target != shard) {
        return new MatchNoDocsQuery("another slice has this shard");
      }
      int parts = max / shards + (max % shards > target ? 1 : 0);
      return parts == 1
          ? null
          : new SliceByTerms(new SliceShare(MetadataFields.ID, id / shards, parts));
    }
    String by = field == null ? MetadataFields.ID : field;
    SliceShare share = new SliceShare(by, id, max);
    if (by.equals(MetadataFields.ID)) {
      return max == 1 ? null : new SliceByTerms(share);
    }
    requireNumbers(context, by);
    return new SliceByNumbers(share);
  }

  private static void requireNumbers(QueryContext context, String field) {
    MappedField mapped = context.mapping().field(field);
    if (mapped == null) {
      throw Refusal.badArgument("field " + field + " not found");
    }
    if (!mapped.type().values().isNumeric()) {
      throw Refusal.badArgument("cannot load numeric doc values on " + field);
    }
  }
}
