package dev.holdfast.search.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which commit of a shard, and where its files lie: enough to open it again on another node.
///
/// @param blobs that its files lie in; the last is the one that has the commit in its directory
public record StoredCommit(
    ShardId shard, long primaryTerm, long generation, SortedSet<BlobId> blobs) {
  public static StoredCommit of(ShardId shard, CompoundCommit commit) {
    return new StoredCommit(shard, commit.primaryTerm(), commit.generation(), commit.blobs());
  }

  /// Whether it is that one; a later owner may give the same generation to another.
  public boolean is(CompoundCommit commit) {
    return commit.primaryTerm() == primaryTerm && commit.generation() == generation;
  }

  public BlobId home() {
    return blobs.last();
  }

  public void write(ObjectNode json) {
    json.put("commit_term", primaryTerm).put("commit_generation", generation);
    ArrayNode list = json.putArray("blobs");
    for (BlobId blob : blobs) {
      list.addObject().put("term", blob.primaryTerm()).put("generation", blob.generation());
    }
  }

  public static StoredCommit read(ShardId shard, JsonNode json) {
    SortedSet<BlobId> blobs = new TreeSet<>();
    for (JsonNode blob : json.path("blobs")) {
      blobs.add(new BlobId(blob.path("term").asLong(), blob.path("generation").asLong()));
    }
    return new StoredCommit(
        shard, json.path("commit_term").asLong(), json.path("commit_generation").asLong(), blobs);
  }
}
