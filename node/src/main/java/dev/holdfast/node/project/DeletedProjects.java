package dev.holdfast.node.project;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.wiring.Rooms;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.project.Project;
import dev.holdfast.project.Projects;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes what the store holds of projects that are gone. Only the leader does. A node that was
/// cut off may still write to one for a while: their keys are looked at again for an hour.
final class DeletedProjects {
  private static final Logger LOG = LoggerFactory.getLogger(DeletedProjects.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration LOOKED_AT = Duration.ofHours(1);
  private static final int AT_ONCE = 1000;
  private static final int TRIES_MAX = 4;

  private final World world;
  private final Metadata metadata;
  private final ObjectStore store;
  private final String self;

  private DeletedProjects(World world, Metadata metadata, ObjectStore store, String self) {
    this.world = world;
    this.metadata = metadata;
    this.store = store;
    this.self = self;
  }

  /// Looks again and again; ends with the world's tasks.
  static void begin(World world, Metadata metadata, Rooms.Ground ground, String self) {
    DeletedProjects deleted =
        new DeletedProjects(
            world,
            metadata,
            Retrying.atMost(
                new Counting(ground.store(), Purpose.GARBAGE_COLLECTION, ground.counted()),
                world,
                TRIES_MAX),
            self);
    var _ = world.tasks().repeat("deleted-projects", EVERY, deleted::look);
  }

  private void look() throws Exception {
    if (!metadata.leaderId().equals(self)) {
      return;
    }
    for (Map.Entry<String, Long> one : Projects.deleted(metadata.current()).entrySet()) {
      String prefix = one.getKey();
      if (!prefix.startsWith(Project.FOLDER)) {
        throw new IllegalStateException("no project's keys begin so [prefix=" + prefix + "]");
      }
      long deleted = delete(prefix);
      if (deleted > 0) {
        LOG.info(
            "deleted what a project had in the store [prefix={}, objects={}]", prefix, deleted);
      }
      long ageMillis = world.clock().epochMillis() - one.getValue();
      if (deleted == 0 && ageMillis > LOOKED_AT.toMillis()) {
        var _ =
            metadata.update("nothing is left of " + prefix, state -> Projects.gone(state, prefix));
      }
    }
  }

  private long delete(String prefix) throws StoreException {
    long deleted = 0;
    while (true) {
      List<String> keys = store.list(prefix, "", AT_ONCE).stream().map(Listed::key).toList();
      if (keys.isEmpty()) {
        return deleted;
      }
      store.deleteAll(keys);
      deleted += keys.size();
    }
  }
}
