package dev.holdfast.clusterstate.membership;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Ids;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What proves that a call comes from a process of the same cluster: random bytes in the store,
/// made by the first process that finds none. Who can read the store can do anything to the cluster
/// anyway. An object that is deleted or damaged is made again; processes that run look again when
/// they do not understand each other, so that is how it is changed.
public final class ClusterSecret {
  public static final String KEY = "cluster/secret";
  private static final Logger LOG = LoggerFactory.getLogger(ClusterSecret.class);
  private static final String MAGIC = "HFKY";
  private static final int VERSION = 1;
  private static final int TRIES_MAX = 5;

  private ClusterSecret() {}

  /// Puts another secret in the place of the one that is there. Processes of this cluster find it
  /// when they do not understand each other; those that look into another store do not.
  public static byte[] change(ObjectStore store, Ids ids) throws IOException {
    store.deleteAll(List.of(KEY));
    return read(store, ids);
  }

  /// The secret of the cluster of that store.
  public static byte[] read(ObjectStore store, Ids ids) throws IOException {
    for (int i = 0; i < TRIES_MAX; i++) {
      Optional<StoredObject> stored = store.get(KEY);
      if (stored.isPresent()) {
        try {
          byte[] json = ChecksummedBytes.open(MAGIC, VERSION, stored.get().bytes(), KEY);
          return Json.parse(json).path("secret").asText().getBytes(StandardCharsets.US_ASCII);
        } catch (CorruptObjectException e) {
          LOG.warn("the secret of the cluster is made again [why={}]", e.getMessage());
          store.deleteAll(List.of(KEY));
        }
      }
      // Two names that nobody can guess: 256 bits.
      byte[] made = Json.bytes(Json.object().put("secret", ids.uuid() + ids.uuid()));
      var _ = store.putIfAbsent(KEY, ObjectBody.of(ChecksummedBytes.seal(MAGIC, VERSION, made)));
    }
    throw new IOException(
        "the secret of the cluster is deleted as often as it is made [key=" + KEY + "]");
  }
}
