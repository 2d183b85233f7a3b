package dev.holdfast.clusterstate.log;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.world.NewerFormatException;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Tells a store without a cluster from one whose cluster has lost its state, before anything is
/// written: a state that is absent or has a hole never means that there is nothing.
///
/// A cluster begins with its lease, which is never deleted; its first state follows, and only then
/// comes all else. So what exists says what must have been there before it. Within a term names are
/// consecutive, and the lease says how far they reached when it was last written.
public final class StateSurvey {
  /// What a cluster writes after its first state.
  private static final List<String> LATER = List.of("shards/", "log/", "pins/");

  /// A leader that writes meanwhile makes a state look torn: such a look is repeated.
  private static final int LOOKS_MAX = 5;

  private final ObjectStore store;
  private final LeaseRegister register;
  private final StateObjects objects;
  private final StateLog log;

  /// As the last look began.
  private Optional<Version> seenLease = Optional.empty();

  public StateSurvey(ObjectStore store) {
    this.store = store;
    this.register = new LeaseRegister(store);
    this.objects = new StateObjects(store);
    this.log = new StateLog(store);
  }

  /// What a store holds of a cluster.
  public sealed interface Finding {
    /// There is no cluster, or one that has written nothing yet.
    record Empty() implements Finding {}

    /// All is there.
    ///
    /// @param state the newest
    /// @param ordinal its name within its term
    record Whole(ClusterState state, long ordinal) implements Finding {}

    /// Something is missing or broken.
    record Damaged(IncompleteStateException exception) implements Finding {}
  }

  /// Looks; asks for the state's objects, writes nothing.
  ///
  /// @throws NewerFormatException when a newer Holdfast wrote it
  public Finding look() throws IOException {
    String damagedKey = "";
    for (int looks = 1; ; looks++) {
      Finding finding = lookOnce();
      if (!(finding instanceof Finding.Damaged damaged)) {
        return finding;
      }
      boolean isSame = damagedKey.equals(damaged.exception.key());
      if ((isSame && seenLease.equals(leaseVersion())) || looks == LOOKS_MAX) {
        return finding;
      }
      damagedKey = damaged.exception.key();
    }
  }

  /// The newest state; empty when there is no cluster yet.
  ///
  /// @throws IncompleteStateException when there is one without a whole state
  public Optional<StateLog.Known> requireWhole() throws IOException {
    return switch (look()) {
      case Finding.Empty _ -> Optional.empty();
      case Finding.Whole whole -> Optional.of(new StateLog.Known(whole.state, whole.ordinal));
      case Finding.Damaged damaged -> throw damaged.exception;
    };
  }

  private Optional<Version> leaseVersion() throws IOException {
    return Optional.ofNullable(register.readIfWhole().version());
  }

  private Finding lookOnce() throws IOException {
    try {
      LeaseRegister.Read lease = lease();
      SortedMap<Long, NavigableSet<Long>> terms = objects.all();
      if (lease.version() == null && !terms.isEmpty()) {
        throw missing(Lease.KEY, "is missing, states of a cluster exist");
      }
      if (!terms.isEmpty() && terms.lastKey() > lease.lease().term()) {
        throw missing(Lease.KEY, "is older than the newest state of term " + terms.lastKey());
      }
      // What older terms left is their fences: the lease knows of a newer state.
      Optional<StateLog.Known> newest = newest(terms.tailMap(lease.lease().stateTerm()));
      StateLog.requireAll(lease.lease(), newest);
      if (newest.isPresent()) {
        return new Finding.Whole(newest.get().state(), newest.get().ordinal());
      }
      String later = anythingLater();
      if (later != null) {
        throw missing(
            lease.version() == null ? Lease.KEY : StateObjects.FOLDER,
            "is missing, objects of a cluster exist [key=" + later + "]");
      }
      return new Finding.Empty();
    } catch (IncompleteStateException e) {
      return new Finding.Damaged(e);
    }
  }

  private LeaseRegister.Read lease() throws IOException {
    LeaseRegister.Read read = register.readIfWhole();
    seenLease = Optional.ofNullable(read.version());
    if (read.isMissing() && read.version() != null) {
      throw missing(Lease.KEY, "is damaged");
    }
    return read;
  }

  private static IncompleteStateException missing(String key, String what) {
    return new IncompleteStateException(key, what, null);
  }

  /// Of the newest term that wrote one.
  private Optional<StateLog.Known> newest(SortedMap<Long, NavigableSet<Long>> terms)
      throws IOException {
    for (var term : terms.reversed().entrySet()) {
      Optional<StateLog.Known> state = log.read(term.getKey(), term.getValue());
      if (state.isPresent()) {
        return state;
      }
    }
    return Optional.empty();
  }

  private @Nullable String anythingLater() throws IOException {
    for (String folder : LATER) {
      List<Listed> first = store.list(folder, "", 1);
      if (!first.isEmpty()) {
        return first.getFirst().key();
      }
    }
    return null;
  }
}
