package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Opens repositories, each store once.
public final class RepositoryStores implements AutoCloseable {
  /// Tries of a request to another store than the cluster's own.
  private static final int TRIES_MAX = 5;

  private final World world;
  private final ObjectStore own;
  private final RepositoryConfig config;

  // Guarded by this.
  private final Map<String, ObjectStore> opened = new HashMap<>();

  /// @param own the cluster's own store; whoever opened it closes it
  public RepositoryStores(World world, ObjectStore own, RepositoryConfig config) {
    this.world = world;
    this.own = own;
    this.config = config;
  }

  /// What lies in a repository; nothing is asked of a remote store yet.
  ///
  /// @throws dev.holdfast.world.Refusal `repository_exception` when its definition can't be used
  public SnapshotRepository open(Repository repository) {
    RepositoryPlace place = RepositoryTypes.place(repository, config);
    if (place.isOwn()) {
      return new SnapshotRepository(
          world,
          repository,
          new StoreOfRepository(own, repository.name()),
          true,
          SnapshotRepository.OWN_FOLDER + place.folder() + "/");
    }
    try {
      return new SnapshotRepository(
          world,
          repository,
          new StoreOfRepository(store(place.url()), repository.name()),
          false,
          SnapshotRepository.FOLDER);
    } catch (StoreException e) {
      throw RepositoryTypes.refused(repository.name(), "failed to create repository", e);
    }
  }

  private synchronized ObjectStore store(String url) throws StoreException {
    ObjectStore known = opened.get(url);
    if (known == null) {
      known = Retrying.atMost(Stores.open(url, config.options(), world), world, TRIES_MAX);
      opened.put(url, known);
    }
    return known;
  }

  @Override
  public synchronized void close() throws IOException {
    opened.values().forEach(ObjectStore::close);
    opened.clear();
  }
}
