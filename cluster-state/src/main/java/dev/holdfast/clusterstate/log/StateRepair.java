package dev.holdfast.clusterstate.log;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.lease.Claiming;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Puts a whole cluster state where there is none (decision 017): takes the lease as a node would,
/// reads what is left, and writes a new state as the first of a higher term than any before, so
/// that whoever led before is shut out.
public final class StateRepair {
  private final World world;
  private final ObjectStore store;
  private final ClusterConfig config;
  private final LeaseRegister register;
  private final StateObjects objects;
  private LeaseRegister.@Nullable Read held;

  /// @param config how long a leader has to answer
  public StateRepair(World world, ObjectStore store, ClusterConfig config) {
    this.world = world;
    this.store = store;
    this.config = config;
    this.register = new LeaseRegister(store);
    this.objects = new StateObjects(store);
  }

  /// What is left of the state log.
  ///
  /// @param state of all readable objects, in order; empty when there is none. A delta names the
  ///   new value of all that it changes, so behind a hole only what the missing one alone said is
  ///   missing
  /// @param broken keys that are missing or cannot be read
  /// @param ages of indices, by UUID: of the newest object that is left and says what the index is
  ///
  ///   The bounds of logs are left out: what is missing may have said that files were not needed
  ///   any more. Marks stay: a blob at least as new is there all the same.
  public record Remnant(Optional<ClusterState> state, List<String> broken, Map<String, Age> ages) {
    public Remnant {
      broken = List.copyOf(broken);
      ages = Map.copyOf(ages);
    }

    /// A state that lacks nothing.
    public static Remnant whole(ClusterState state) {
      return new Remnant(Optional.of(state), List.of(), Map.of());
    }

    /// With another state made of this one.
    public Remnant map(UnaryOperator<ClusterState> change) {
      return new Remnant(state.map(change), broken, ages);
    }

    /// Whether what is left says of an index what the state of that age said, or something newer.
    /// Behind a hole the newest state does not prove it: the missing object may have changed the
    /// index.
    public boolean isAsNew(String uuid, Age age) {
      return broken.isEmpty()
          ? state.isPresent() && Age.of(state.get()).compareTo(age) >= 0
          : ages.containsKey(uuid) && ages.get(uuid).compareTo(age) > 0;
    }
  }

  /// When a state was made.
  public record Age(long term, long version) implements Comparable<Age> {
    private static final Comparator<Age> ORDER =
        Comparator.comparingLong(Age::term).thenComparingLong(Age::version);

    static Age of(ClusterState state) {
      return new Age(state.term(), state.version());
    }

    @Override
    public int compareTo(Age other) {
      return ORDER.compare(this, other);
    }
  }

  /// Takes the lease, so that no node leads while the state is made.
  ///
  /// @throws IOException when a node leads and answers
  public void begin() throws IOException, InterruptedException {
    String self = "repair-" + world.ids().uuid();
    LeaseRegister.Read read = register.readIfWhole();
    if (read.isMissing()) {
      held =
          register
              .replace(read, Lease.none().claimedBy(self, ""))
              .orElseThrow(() -> lost("another process has just written the lease"));
      return;
    }
    Member member = new Member(self, self, "", new TreeSet<>(), 0, 0, false, Build.here("repair"));
    Claiming claiming = new Claiming(world, register, config, member, "");
    held =
        claiming
            .claim(read)
            .map(Claiming.Won::held)
            .orElseThrow(() ->
                lost(
                    "a node leads this cluster and answers: stop all nodes first [leader="
                        + read.lease().leader()
                        + ", address="
                        + read.lease().address()
                        + "]"));
  }

  private static IOException lost(String why) {
    return new IOException(why);
  }

  public Remnant remnant() throws IOException {
    List<String> broken = new ArrayList<>();
    Map<String, Age> ages = new HashMap<>();
    Optional<ClusterState> state = Optional.empty();
    for (Map.Entry<Long, NavigableSet<Long>> term : objects.all().entrySet()) {
      long expected = term.getValue().first();
      for (long ordinal : term.getValue()) {
        for (; expected < ordinal; expected++) {
          broken.add(StateObjects.key(term.getKey(), expected));
        }
        expected = ordinal + 1;
        try {
          Optional<ClusterState> before = state;
          state = after(before, objects.read(term.getKey(), ordinal));
          state.ifPresent(now -> noteAges(ages, before, now));
        } catch (NewerFormatException e) {
          throw e;
        } catch (IncompleteStateException | RuntimeException e) {
          broken.add(StateObjects.key(term.getKey(), ordinal));
        }
      }
    }
    return new Remnant(state.map(UploadMarks::withoutBounds), broken, ages);
  }

  private static void noteAges(
      Map<String, Age> ages, Optional<ClusterState> before, ClusterState now) {
    now.indices()
        .forEach((name, index) -> {
          IndexMetadata was = before.map(state -> state.indices().get(name)).orElse(null);
          if (!index.equals(was)) {
            ages.put(index.id().uuid(), Age.of(now));
          }
        });
  }

  private static Optional<ClusterState> after(Optional<ClusterState> before, JsonNode json) {
    return switch (json.path("kind").asText()) {
      case "fence" -> before;
      case "full" -> Optional.of(StateJson.full(json));
      default -> Optional.of(StateJson.apply(before.orElseGet(() -> ClusterState.empty("")), json));
    };
  }

  /// Writes the state, and a lease that any node may take.
  ///
  /// @param rebuilt without members and assignments
  /// @param termMin its term is greater than this, and than that of the lease and of any state
  /// @return the state as it was written
  /// @throws IOException when another took the lease since [#begin]
  public ClusterState write(ClusterState rebuilt, long termMin) throws IOException {
    LeaseRegister.Read mine = held;
    if (mine == null) {
      throw new IllegalStateException("the lease is not held");
    }
    SortedMap<Long, NavigableSet<Long>> terms = objects.all();
    Lease lease = mine.lease();
    long newest = Math.max(terms.isEmpty() ? 0 : terms.lastKey(), termMin);
    long term = Math.max(lease.term(), newest + 1);
    mine = change(mine.lease(), now -> now.raisedTo(term));
    for (Map.Entry<Long, NavigableSet<Long>> older : terms.entrySet()) {
      fence(older.getKey(), older.getValue().last() + 1, lease.leader());
    }
    ClusterState written = rebuilt.at(term, rebuilt.version());
    StateLog log = new StateLog(store);
    log.append(rebuilt, written);
    held = change(mine.lease(), now -> now.stopped().withState(log.newestOrdinal()));
    return written;
  }

  /// Changes the lease, which others may challenge meanwhile.
  private LeaseRegister.Read change(Lease ours, UnaryOperator<Lease> change) throws IOException {
    while (true) {
      LeaseRegister.Read now = register.read();
      if (now.lease().term() != ours.term() || !now.lease().leader().equals(ours.leader())) {
        throw lost("another process took the lease [leader=" + now.lease().leader() + "]");
      }
      Optional<LeaseRegister.Read> changed = register.replace(now, change.apply(now.lease()));
      if (changed.isPresent()) {
        return changed.get();
      }
    }
  }

  /// Takes the name that a leader of that term would have used next, as far as that can be known.
  private void fence(long term, long next, String by) throws IOException {
    StateLog.By who = new StateLog.By(by, false);
    for (long ordinal = next; ; ordinal++) {
      if (objects.create(StateObjects.key(term, ordinal), who.fence())
          instanceof Creation.Created) {
        return;
      }
    }
  }
}
