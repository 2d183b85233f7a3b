package dev.holdfast.api.cat;

import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.shard.RecoveryApi;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ByteSize;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// `GET /_cat/recovery`: a line a shard that came to this node.
public final class CatRecoveryApi implements CatApi.Maker {
  private final NodeIdentity self;
  private final Metadata metadata;
  private final IndexingShards indexing;

  public CatRecoveryApi(NodeIdentity self, Metadata metadata, IndexingShards indexing) {
    this.self = self;
    this.metadata = metadata;
    this.indexing = indexing;
  }

  @Override
  public CatTable table(ApiRequest request) throws Exception {
    CatTable table =
        new CatTable()
            .column("index", "i,idx", "index name")
            .column("shard", "s,sh", "shard name")
            .hidden("start_time", "start", "recovery start time")
            .hidden(
                "start_time_millis", "start_millis", "recovery start time in epoch milliseconds")
            .hidden("stop_time", "stop", "recovery stop time")
            .hidden("stop_time_millis", "stop_millis", "recovery stop time in epoch milliseconds")
            .column("time", "t,ti", "recovery time")
            .column("type", "ty", "recovery type")
            .column("stage", "st", "recovery stage")
            .column("source_host", "shost", "source host")
            .column("source_node", "snode", "source node name")
            .column("target_host", "thost", "target host")
            .column("target_node", "tnode", "target node name")
            .column("repository", "rep", "repository")
            .column("snapshot", "snap", "snapshot")
            .column("files", "f", "number of files to recover")
            .column("files_recovered", "fr", "files recovered")
            .column("files_percent", "fp", "percent of files recovered")
            .column("files_total", "tf", "total number of files")
            .column("bytes", "b", "number of bytes to recover")
            .column("bytes_recovered", "br", "bytes recovered")
            .column("bytes_percent", "bp", "percent of bytes recovered")
            .column("bytes_total", "tb", "total number of bytes")
            .column("translog_ops", "to", "number of translog ops to recover")
            .column("translog_ops_recovered", "tor", "translog ops recovered")
            .column("translog_ops_percent", "top", "percent of translog ops recovered");
    var indices =
        IndexBlocks.showable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                ClusterHealth.EVERYTHING.of(request)));
    boolean onlyActive = request.flag("active_only", false);
    for (var one : RecoveryApi.all(indices, indexing, self).entrySet()) {
      for (RecoveryApi.Recovered shard : one.getValue()) {
        if (onlyActive && shard.isDone()) {
          continue;
        }
        String start = Instant.ofEpochMilli(shard.startMillis()).toString();
        table.row(
            one.getKey(),
            shard.shard(),
            start,
            shard.startMillis(),
            start,
            shard.startMillis(),
            Duration.ZERO,
            shard.type().toLowerCase(Locale.ROOT),
            shard.isDone() ? "done" : "init",
            "n/a",
            "n/a",
            self.host(),
            self.name(),
            "n/a",
            "n/a",
            0,
            0,
            "100.0%",
            0,
            new ByteSize(0),
            new ByteSize(0),
            "100.0%",
            new ByteSize(shard.bytes()),
            0,
            0,
            "100.0%");
      }
    }
    return table;
  }
}
