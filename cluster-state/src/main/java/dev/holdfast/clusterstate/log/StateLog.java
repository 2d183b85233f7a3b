package dev.holdfast.clusterstate.log;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The versions of the cluster state in the store: `cluster/state/<term>/<ordinal>`, consecutive
/// from 0 within a term, each created with put-if-absent, so that creating the next one is the
/// commit point and an older leader can be shut out by taking its next name. That is why names
/// count from 0 and not by version: who shuts out a leader that has written nothing yet must know
/// its first name.
///
/// An object is a whole state, a delta, or a fence; every [#FULL_EVERY]th of a term is whole, and
/// so is the first.
public final class StateLog {
  private static final Logger LOG = LoggerFactory.getLogger(StateLog.class);

  /// A reader applies at most so many deltas.
  static final int FULL_EVERY = 100;

  private final StateObjects objects;

  /// Of the first state that was written here, which is the first of a term.
  private @Nullable Long firstVersion;

  private volatile long term;
  private volatile long newestOrdinal = -1;

  /// Of the newest whole state that was written here; -1 for none.
  private volatile long wholeOrdinal = -1;

  /// What is older was deleted.
  private volatile long deletedBelow;

  /// Of the state that is being written, or was written last.
  private volatile long begunOrdinal = -1;

  public StateLog(ObjectStore store) {
    this.objects = new StateObjects(store);
  }

  /// Another leader took the name of the next version: this node leads no more.
  public static final class FencedException extends IOException {
    private static final long serialVersionUID = 1L;

    FencedException(String key) {
      super("another leader has fenced this one [key=" + key + "]");
    }
  }

  /// A state and the name under which it lies.
  ///
  /// @param ordinal -1 when it is not known
  public record Known(ClusterState state, long ordinal) {}

  /// Who fences a term.
  ///
  /// @param node its ephemeral id, for people
  /// @param isLeaderDone whether the leader of the term has said that it writes nothing any more:
  ///   the fence is needed by nobody then
  public record By(String node, boolean isLeaderDone) {
    ObjectNode fence() {
      return Json.object().put("kind", "fence").put("by", node).put("is_leader_done", isLeaderDone);
    }
  }

  /// Of the newest state that was written here; -1 for none.
  public long newestOrdinal() {
    return newestOrdinal;
  }

  /// Makes `now` the newest state. One object writes one term, from its first state on; versions
  /// follow each other.
  public void append(ClusterState before, ClusterState now) throws IOException {
    if (firstVersion == null) {
      firstVersion = now.version();
      term = now.term();
    }
    long ordinal = now.version() - firstVersion;
    boolean isFull = ordinal % FULL_EVERY == 0;
    ObjectNode json = isFull ? StateJson.full(now) : StateJson.delta(before, now);
    json.put("kind", isFull ? "full" : "delta").put("uuid", now.clusterUuid());
    String key = StateObjects.key(now.term(), ordinal);
    begunOrdinal = ordinal;
    if (objects.create(key, json) instanceof Creation.AlreadyExists) {
      throw new FencedException(key);
    }
    newestOrdinal = ordinal;
    if (isFull) {
      wholeOrdinal = ordinal;
    }
  }

  /// Deletes what this term wrote before its newest whole state, when there is anything. Not while
  /// a state is written: a store that refuses to delete must hold no change of the state up.
  public void deleteOlder() throws IOException {
    long whole = wholeOrdinal;
    if (whole > deletedBelow) {
      objects.delete(term, objects.ordinals(term).headSet(whole));
      deletedBelow = whole;
    }
  }

  /// Whether nobody has written, or fenced, after what was written here last, and that is still
  /// there.
  public boolean isOurStateNewest() throws IOException {
    long atLeast = newestOrdinal;
    if (atLeast < 0) {
      return false;
    }
    SortedMap<Long, NavigableSet<Long>> terms = objects.all();
    return !terms.isEmpty()
        && terms.lastKey() == term
        && terms.lastEntry().getValue().last() >= atLeast
        && terms.lastEntry().getValue().last() <= begunOrdinal;
  }

  /// Whether the state that was written last is a whole one: nobody reads what is before it.
  public boolean endsWhole() {
    return newestOrdinal % FULL_EVERY == 0;
  }

  /// Looks whether what this log has written, and a reader needs, is still there.
  ///
  /// @param isRead whether the objects are read, too: damage shows only then
  /// @throws IncompleteStateException when an object is missing or damaged
  public void check(boolean isRead) throws IOException {
    long newest = newestOrdinal;
    NavigableSet<Long> ordinals = objects.ordinals(term);
    try {
      for (long ordinal = wholeUntil(newest); ordinal <= newest; ordinal++) {
        if (!ordinals.contains(ordinal)) {
          throw new IncompleteStateException(StateObjects.key(term, ordinal), "is missing", null);
        }
      }
      if (isRead) {
        var _ = read(term, ordinals);
      }
    } catch (IncompleteStateException e) {
      if (wholeUntil(newestOrdinal) == wholeUntil(newest)) {
        throw e;
      }
      // A whole state has taken the place of what was looked for.
    }
  }

  private static long wholeUntil(long ordinal) {
    return ordinal / FULL_EVERY * FULL_EVERY;
  }

  /// The newest state of a term, after which no leader of that term can add another; empty when
  /// that term wrote none.
  ///
  /// @param known a state that this node knows already: of this term, it saves the reading of what
  ///   came before; of another, it says nothing
  /// @throws IncompleteStateException when an object is missing or damaged; nothing was written
  ///   then
  public Optional<Known> fenceAndRead(long term, By by, Optional<Known> known) throws IOException {
    NavigableSet<Long> ordinals = objects.ordinals(term);
    while (true) {
      try {
        return fenceAndRead(term, by, known, ordinals);
      } catch (IncompleteStateException e) {
        NavigableSet<Long> now = objects.ordinals(term);
        if (now.equals(ordinals)) {
          throw e;
        }
        // Its leader lives and writes: a whole state may have taken the place of what is missing.
        ordinals = now;
      }
    }
  }

  private Optional<Known> fenceAndRead(
      long term, By by, Optional<Known> known, NavigableSet<Long> ordinals) throws IOException {
    long full = newestFull(term, ordinals);
    Optional<Known> state = start(term, ordinals, known).filter(start -> start.ordinal + 1 >= full);
    long next = state.isPresent() ? state.get().ordinal + 1 : full;
    long last = ordinals.isEmpty() ? -1 : ordinals.last();
    // LIST may lag or a write may land between: after its last, names are taken one by one until
    // the fence holds one.
    while (true) {
      ObjectNode fence = by.fence();
      boolean isNew = next > last;
      if (isNew
          && objects.create(StateObjects.key(term, next), fence) instanceof Creation.Created) {
        return state;
      }
      JsonNode json = objects.read(term, next);
      if (StateObjects.isFence(json)) {
        return state;
      }
      state = Optional.of(after(term, next, state, json));
      next++;
    }
  }

  /// The newest state of a term as far as it is written; empty when that term wrote none.
  ///
  /// @throws IncompleteStateException when an object is missing or damaged
  Optional<Known> read(long term, NavigableSet<Long> ordinals) throws IOException {
    Optional<Known> state = Optional.empty();
    long last = ordinals.isEmpty() ? -1 : ordinals.last();
    for (long next = newestFull(term, ordinals); next <= last; next++) {
      JsonNode json = objects.read(term, next);
      if (StateObjects.isFence(json)) {
        return state;
      }
      state = Optional.of(after(term, next, state, json));
    }
    return state;
  }

  /// The newest state of all terms up to one, each of which is shut out. A term that wrote nothing
  /// (its leader died between claim and first state) is skipped.
  ///
  /// @param before the lease of the newest of these terms, as it was left
  /// @param by says whether its leader is done
  /// @throws IncompleteStateException when there is less than there must be
  public Optional<Known> newestUntil(Lease before, By by, Optional<Known> known)
      throws IOException {
    for (long older = before.term(); older > 0; older--) {
      By fences = older == before.term() ? by : new By(by.node, false);
      Optional<Known> state = fenceAndRead(older, fences, known);
      if (state.isEmpty() && known.isPresent() && known.get().state.term() == older) {
        throw new IncompleteStateException(StateObjects.key(older, 0), "is missing", null);
      }
      if (state.isPresent() || older == before.stateTerm()) {
        requireAll(before, state);
        return state;
      }
    }
    requireAll(before, Optional.empty());
    return Optional.empty();
  }

  /// @throws IncompleteStateException when the lease knows of a newer state
  static void requireAll(Lease lease, Optional<Known> newest) throws IncompleteStateException {
    long term = newest.map(known -> known.state.term()).orElse(0L);
    long ordinal = newest.map(Known::ordinal).orElse(-1L);
    boolean isLess =
        term < lease.stateTerm() || (term == lease.stateTerm() && ordinal < lease.stateOrdinal());
    if (lease.stateTerm() > 0 && isLess) {
      throw new IncompleteStateException(
          StateObjects.key(lease.stateTerm(), lease.stateOrdinal()),
          "is missing, the lease says that it was written",
          null);
    }
  }

  /// Deletes what nobody will read again: all of older terms but their fences, which must outlive
  /// any leader that might wake. That of a leader that has stopped in order goes too.
  ///
  /// @param term has a whole state
  public void deleteBelow(long term) throws IOException {
    for (var older : objects.all().headMap(term).entrySet()) {
      NavigableSet<Long> ordinals = older.getValue();
      if (ordinals.size() > 1 || older.getKey() == term - 1) {
        JsonNode last = lastOf(older.getKey(), ordinals.last());
        boolean isDone = last.path("is_leader_done").asBoolean();
        if (StateObjects.isFence(last)) {
          objects.delete(older.getKey(), ordinals.headSet(ordinals.last(), isDone));
        }
      }
    }
  }

  /// What cannot be read is no fence: its term stays, and keeps no other from being deleted.
  private JsonNode lastOf(long older, long ordinal) throws IOException {
    try {
      return objects.read(older, ordinal);
    } catch (IncompleteStateException e) {
      LOG.warn("the end of an older term cannot be read, its states stay [term={}]", older, e);
      return MissingNode.getInstance();
    }
  }

  private Optional<Known> start(long term, NavigableSet<Long> ordinals, Optional<Known> known)
      throws IOException {
    if (known.isEmpty() || known.get().state.term() != term || ordinals.isEmpty()) {
      return Optional.empty();
    }
    if (known.get().ordinal >= 0) {
      return known;
    }
    for (long ordinal : ordinals.descendingSet()) {
      JsonNode json = objects.read(term, ordinal);
      if (!StateObjects.isFence(json)) {
        ClusterState state = known.get().state;
        return Optional.of(
            new Known(state, ordinal - (json.path("version").asLong() - state.version())));
      }
    }
    return Optional.empty();
  }

  /// Whole states are those whose ordinal is a multiple of [#FULL_EVERY]: the newest that must be
  /// there.
  private long newestFull(long term, NavigableSet<Long> ordinals) throws IOException {
    if (ordinals.isEmpty()) {
      return 0;
    }
    long last = ordinals.last();
    boolean isAtFence =
        last > 0 && last % FULL_EVERY == 0 && StateObjects.isFence(objects.read(term, last));
    return wholeUntil(isAtFence ? last - 1 : last);
  }

  /// The state after an object.
  private static Known after(long term, long ordinal, Optional<Known> before, JsonNode json)
      throws IncompleteStateException {
    String key = StateObjects.key(term, ordinal);
    try {
      if (json.path("kind").asText().equals("full")) {
        return new Known(StateJson.full(json), ordinal);
      }
      if (before.isEmpty() || before.get().state.version() != json.path("base").asLong()) {
        throw new IncompleteStateException(key, "does not follow the state before it", null);
      }
      String uuid = before.get().state.clusterUuid();
      if (!json.path("uuid").asText(uuid).equals(uuid)) { // builds before this one do not say
        throw new IncompleteStateException(
            key, "is of another cluster [uuid=" + json.path("uuid").asText() + "]", null);
      }
      return new Known(StateJson.apply(before.get().state, json), ordinal);
    } catch (RuntimeException e) {
      throw new IncompleteStateException(key, "cannot be read: " + e.getMessage(), e);
    }
  }
}
