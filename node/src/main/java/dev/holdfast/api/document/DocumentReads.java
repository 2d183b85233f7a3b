package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.search.ShownSource;
import dev.holdfast.api.search.SourceParameters;
import dev.holdfast.api.search.lookup.DocumentLookup;
import dev.holdfast.api.search.lookup.StoredValues;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.Routing;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads documents by id: what `_doc`, `_source` and `_mget` share.
public final class DocumentReads {
  /// Stands for no version that a document must have.
  static final long VERSION_ANY = -3;

  private final Metadata metadata;
  private final Searches searches;
  private final IndexingShards indexing;

  public DocumentReads(Metadata metadata, Searches searches, IndexingShards indexing) {
    this.metadata = metadata;
    this.searches = searches;
    this.indexing = indexing;
  }

  /// What is asked for.
  ///
  /// @param storedFields names of fields mapped with `store`, whose values are shown one by one
  /// @param version [#VERSION_ANY], else the document must have it
  record Wanted(
      String index,
      String id,
      @Nullable String routing,
      boolean isRealTime,
      boolean refreshesFirst,
      long version,
      SourceFilter source,
      boolean showsRouting,
      List<String> storedFields) {}

  /// A document with its index.
  record Found(IndexMetadata index, RealTimeDocument document) {}

  Found read(Wanted wanted) throws IOException, InterruptedException {
    if (wanted.index().equals("_all")) {
      throw Refusal.badArgument(
          "unable to return a single index as the index and options provided got resolved to"
              + " multiple indices");
    }
    while (true) {
      IndexMetadata index = SingleIndex.of(metadata.current(), wanted.index(), false);
      IndexBlocks.requireReadable(index);
      String routing = SingleIndex.routing(index, wanted.index(), wanted.routing());
      if (routing == null && index.mapping().path("_routing").path("required").asBoolean(false)) {
        throw WriteRequests.routingMissing(index, wanted.id());
      }
      ShardId shard =
          new ShardId(
              index.id(), Routing.shard(wanted.id(), routing, index.layout(), index.settings()));
      if (wanted.refreshesFirst()) {
        indexing.refresh(shard);
      }
      RealTimeDocument document = searches.get(shard, wanted.id(), wanted.isRealTime());
      ClusterState now = metadata.current();
      if (document.exists() || !DocumentLookup.hasMoved(now, index, shard, wanted.id(), routing)) {
        return found(wanted, index, shard, document);
      }
    }
  }

  private static Found found(
      Wanted wanted, IndexMetadata index, ShardId shard, RealTimeDocument document) {
    if (document.exists()
        && wanted.version() != VERSION_ANY
        && document.version() != wanted.version()) {
      throw new DocumentLookup.Found(index, shard, document)
          .conflict(wanted.id(), wanted.version());
    }
    boolean keepsSource =
        index.mapping().path("_source").path("enabled").asBoolean(true)
            && !index.setting("index.mapping.source.mode", "").equalsIgnoreCase("disabled");
    return new Found(index, keepsSource ? document : withoutSource(document));
  }

  private static RealTimeDocument withoutSource(RealTimeDocument document) {
    return new RealTimeDocument(
        document.exists(),
        document.seqNo(),
        document.primaryTerm(),
        document.version(),
        document.routing(),
        null);
  }

  /// Writes the members of `GET _doc` into the open object.
  ///
  /// @param values reads those of the request's documents
  static void write(JsonGenerator out, Found found, Wanted wanted, StoredValues values)
      throws IOException {
    RealTimeDocument document = found.document();
    out.writeStringField("_index", found.index().id().name());
    out.writeStringField("_id", wanted.id());
    if (!document.exists()) {
      out.writeBooleanField("found", false);
      return;
    }
    out.writeNumberField("_version", document.version());
    out.writeNumberField("_seq_no", document.seqNo());
    out.writeNumberField("_primary_term", document.primaryTerm());
    if (document.routing() != null && wanted.showsRouting()) {
      out.writeStringField("_routing", document.routing());
    }
    out.writeBooleanField("found", true);
    byte[] source = document.source();
    if (source != null) {
      values.write(out, found.index(), wanted.storedFields(), source);
      SourceParameters.write(out, ShownSource.of(found.index(), wanted.source()), source);
    }
  }
}
