package dev.holdfast.api.cat;

import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.search.Searches;
import dev.holdfast.search.copy.SegmentFigures;
import dev.holdfast.world.ByteSize;

/// `GET /_cat/segments`: a line a segment of the commits being searched.
public final class CatSegmentsApi implements CatApi.Maker {
  private final NodeIdentity self;
  private final Metadata metadata;
  private final Searches searches;

  public CatSegmentsApi(NodeIdentity self, Metadata metadata, Searches searches) {
    this.self = self;
    this.metadata = metadata;
    this.searches = searches;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    CatTable table =
        new CatTable()
            .column("index", "i,idx", "index name")
            .column("shard", "s,sh", "shard name")
            .column("prirep", "p,pr,primaryOrReplica", "primary or replica")
            .column("ip", "", "ip of node where it lives")
            .hidden("id", "", "unique id of node where it lives")
            .column("segment", "seg", "segment name")
            .column("generation", "g,gen", "segment generation")
            .column("docs.count", "dc,docsCount", "number of docs in segment")
            .column("docs.deleted", "dd,docsDeleted", "number of deleted docs in segment")
            .column("size", "si", "segment size in bytes")
            .column("size.memory", "sm,sizeMemory", "segment memory in bytes")
            .column("committed", "ic,isCommitted", "is segment committed")
            .column("searchable", "is,isSearchable", "is segment searched")
            .column("version", "v,ver", "version")
            .column("compound", "ico,isCompound", "is segment compound");
    if (request.flag("help", false)) {
      return table;
    }
    for (IndexMetadata index :
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request)))) {
      for (int number = 0; number < index.shards(); number++) {
        for (SegmentFigures segment : searches.segments(new ShardId(index.id(), number))) {
          table.row(
              index.id().name(),
              number,
              "p",
              self.host(),
              self.id(),
              segment.name(),
              segment.generation(),
              segment.documents(),
              segment.deleted(),
              new ByteSize(segment.bytes()),
              0,
              "true",
              "true",
              segment.version(),
              Boolean.toString(segment.isCompound()));
        }
      }
    }
    return table;
  }
}
