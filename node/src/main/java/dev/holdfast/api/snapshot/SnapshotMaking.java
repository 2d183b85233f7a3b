package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.world.World;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes snapshots behind the requests that ask for them.
///
/// @param creation of snapshots
public record SnapshotMaking(
    World world, Metadata metadata, RepositoryStores stores, SnapshotCreation creation) {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotMaking.class);

  /// Hears how a snapshot ended.
  @FunctionalInterface
  public interface Listener {
    /// @param made null when there is none, for `why`
    void ended(@Nullable SnapshotManifest made, @Nullable Exception why)
        throws InterruptedException;
  }

  /// Begins one; it has its name in the repository when this returns.
  ///
  /// @param body as of the request
  /// @throws dev.holdfast.world.Refusal for what is not understood, and for what is missing
  public void begin(String repository, String name, ObjectNode body, Listener listener)
      throws IOException {
    ClusterState state = metadata.current();
    var definition = Repositories.of(state, repository);
    SnapshotNames.require(repository, name);
    WantedSnapshot wanted = CreateSnapshotApi.wanted(state, name, body);
    SnapshotCreation.Begun begun = creation.begin(stores.open(definition), wanted);
    var _ =
        world
            .tasks()
            .start("snapshot", () -> make(begun, wanted, listener), () -> creation.abandon(begun));
  }

  void make(SnapshotCreation.Begun begun, WantedSnapshot wanted, Listener listener)
      throws InterruptedException {
    SnapshotManifest made = null;
    Exception why = null;
    try {
      made = creation.make(begun, wanted);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) { // its policy would make no other while it waits to hear of it
      LOG.warn("a snapshot failed [snapshot={}]", wanted.name(), e);
      why = e instanceof Exception failure ? failure : new IllegalStateException(e.toString(), e);
    }
    listener.ended(made, why);
  }
}
