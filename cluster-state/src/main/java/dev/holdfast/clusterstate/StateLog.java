package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.world.Json;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Sealed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The versions of the cluster state in the store: `cluster/state/<term>/<ordinal>`, consecutive
/// from 0 within a term, each created with put-if-absent, so that creating the next one is the
/// commit point and an older leader can be shut out by taking its next name. That is why names
/// count from 0 and not by version: who shuts out a leader that has written nothing yet must know
/// its first name.
///
/// An object is a whole state, a delta, or a fence; every [#FULL_EVERY]th of a term is whole, and
/// so is the first.
final class StateLog {
  /// A reader applies at most so many deltas.
  static final int FULL_EVERY = 100;

  private static final String MAGIC = "HFCS";
  private static final int VERSION = 1;

  private final ObjectStore store;

  /// Of the first state that was written here, which is the first of a term.
  private @Nullable Long firstVersion;

  StateLog(ObjectStore store) {
    this.store = store;
  }

  /// Another leader took the name of the next version: this node leads no more.
  static final class FencedException extends IOException {
    private static final long serialVersionUID = 1L;

    FencedException(String key) {
      super("another leader has fenced this one [key=" + key + "]");
    }
  }

  /// Makes `now` the newest state. One object writes one term, from its first state on; versions
  /// follow each other.
  void append(ClusterState before, ClusterState now) throws IOException {
    if (firstVersion == null) {
      firstVersion = now.version();
    }
    long ordinal = now.version() - firstVersion;
    boolean isFull = ordinal % FULL_EVERY == 0;
    ObjectNode json = isFull ? StateJson.full(now) : StateJson.delta(before, now);
    json.put("kind", isFull ? "full" : "delta");
    String key = key(now.term(), ordinal);
    if (create(key, json) instanceof Creation.AlreadyExists) {
      throw new FencedException(key);
    }
    if (isFull) {
      deleteOlder(now.term(), key);
    }
  }

  private Creation create(String key, ObjectNode json) throws IOException {
    return store.putIfAbsent(key, ObjectBody.of(Sealed.seal(MAGIC, VERSION, Json.bytes(json))));
  }

  /// The newest state of a term, after which no leader of that term can add another; empty when
  /// that term wrote none.
  ///
  /// @param by who fences, for people
  Optional<ClusterState> fenceAndRead(long term, String by) throws IOException {
    List<Long> ordinals = ordinals(term);
    Optional<ClusterState> state = Optional.empty();
    long next = 0;
    for (int i = newestFull(ordinals); i < ordinals.size(); i++) {
      long ordinal = ordinals.get(i);
      Optional<ClusterState> after = read(term, ordinal, state);
      if (after.isEmpty()) {
        return state; // fenced before
      }
      state = after;
      next = ordinal + 1;
    }
    // LIST may lag or a write may land between: names are taken one by one until the fence holds
    // one.
    while (true) {
      ObjectNode fence = Json.object().put("kind", "fence").put("by", by);
      if (create(key(term, next), fence) instanceof Creation.Created) {
        return state;
      }
      Optional<ClusterState> after = read(term, next, state);
      if (after.isEmpty()) {
        return state;
      }
      state = after;
      next++;
    }
  }

  /// Whole states are those whose ordinal is a multiple of [#FULL_EVERY], and the first there is.
  private static int newestFull(List<Long> ordinals) {
    for (int i = ordinals.size() - 1; i >= 0; i--) {
      if (ordinals.get(i) % FULL_EVERY == 0) {
        return i;
      }
    }
    return 0;
  }

  /// The state after the object of that name; empty when it is a fence.
  private Optional<ClusterState> read(long term, long ordinal, Optional<ClusterState> before)
      throws IOException {
    JsonNode json = object(term, ordinal);
    return switch (json.path("kind").asText()) {
      case "full" -> Optional.of(StateJson.full(json));
      case "fence" -> Optional.empty();
      default -> {
        Promise.keep(
            before.isPresent() && before.get().version() == json.path("base").asLong(),
            "a delta follows its base",
            "key",
            key(term, ordinal));
        yield Optional.of(StateJson.apply(before.orElseThrow(), json));
      }
    };
  }

  private JsonNode object(long term, long ordinal) throws IOException {
    String key = key(term, ordinal);
    Optional<StoredObject> stored = store.get(key);
    if (stored.isEmpty()) {
      throw new IOException("cluster state is missing an object [key=" + key + "]");
    }
    return open(stored.get().bytes(), key);
  }

  static JsonNode open(byte[] bytes, String key) throws IOException {
    return Json.parse(Sealed.open(MAGIC, VERSION, bytes, key));
  }

  private List<Long> ordinals(long term) throws IOException {
    List<Long> ordinals = new ArrayList<>();
    for (String key : keys(folder(term))) {
      ordinals.add(Long.parseUnsignedLong(key.substring(key.lastIndexOf('/') + 1), 16));
    }
    return ordinals;
  }

  private List<String> keys(String prefix) throws IOException {
    List<String> keys = new ArrayList<>();
    while (true) {
      List<Listed> page = store.list(prefix, keys.isEmpty() ? "" : keys.getLast(), 1000);
      page.forEach(listed -> keys.add(listed.key()));
      if (page.size() < 1000) {
        keys.sort(null);
        return keys;
      }
    }
  }

  /// Deletes what this term wrote before its newest whole state. Older terms' last objects stay:
  /// their fence must outlive any leader that might wake.
  private void deleteOlder(long term, String newest) throws IOException {
    List<String> older =
        keys(folder(term)).stream().filter(key -> key.compareTo(newest) < 0).toList();
    if (!older.isEmpty()) {
      store.deleteAll(older);
    }
  }

  private static String folder(long term) {
    return String.format(Locale.ROOT, "cluster/state/%016x/", term);
  }

  private static String key(long term, long ordinal) {
    return String.format(Locale.ROOT, "%s%016x", folder(term), ordinal);
  }
}
