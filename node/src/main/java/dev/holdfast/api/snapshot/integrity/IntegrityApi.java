package dev.holdfast.api.snapshot.integrity;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.World;

/// `POST /_snapshot/{repository}/_verify_integrity`: whether every snapshot of a repository can be
/// read and has all of its blobs, and on request whether these are what was written.
public final class IntegrityApi implements Api {
  private static final String FAILURES_MAX = "max_failed_shard_snapshots";
  private static final int FAILURES_MAX_DEFAULT = 10_000;
  private static final String RATE = "max_bytes_per_sec";

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;

  public IntegrityApi(World world, Metadata metadata, RepositoryStores stores) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    boolean readsBlobs = request.flag("verify_blob_contents", false);
    long rate = ByteSize.parse(RATE, request.text(RATE, "10mb")).bytes();
    if (rate <= 0) {
      throw Refusal.badArgument("[" + RATE + "] must be more than 0");
    }
    int failuresMax = request.integer(FAILURES_MAX, FAILURES_MAX_DEFAULT);
    if (failuresMax < 0) {
      throw Refusal.badArgument("[" + FAILURES_MAX + "] must not be negative");
    }
    try (Reservation memory = world.memory().request().begin("<verify_integrity>")) {
      IntegrityCheck check =
          new IntegrityCheck(
              world,
              stores.open(Repositories.of(metadata.current(), request.required("repository"))),
              memory,
              readsBlobs ? rate : 0,
              failuresMax);
      check.run();
      return Answer.of(200, check.json(request.human()));
    }
  }
}
