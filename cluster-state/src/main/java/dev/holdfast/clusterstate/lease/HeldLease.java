package dev.holdfast.clusterstate.lease;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The lease while this node holds it: every change is a compare-and-set on top of what is there,
/// refused once another holds it.
///
/// One that somebody deleted or damaged is put back as this node knew it last, as long as the state
/// log shows that nobody has led since. Who took it before it was lost and has not begun its term
/// finds that it is another's, and ends.
public final class HeldLease {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

  /// A lease that is read damaged and cannot be replaced is asked for so often.
  private static final int LOOKS_MAX = 3;

  /// A change is made again so often because somebody else has changed the lease meanwhile, as
  /// challengers do, each of them once.
  private static final int CHANGES_MAX = 16;

  private final Clock clock;
  private final LeaseRegister register;
  private final Proof proof;
  private final long term;
  private final String self;
  private volatile long generation;
  private volatile long seenNanos;
  private volatile String whyLost = "";
  private volatile long stateOrdinal = -1;

  /// As it was last seen while it was ours.
  private volatile Lease newest;

  /// What the state log says of who leads.
  @FunctionalInterface
  public interface Proof {
    /// Whether the newest state in the store is the one that this node wrote last: false too when
    /// it wrote none, or when that one is gone.
    boolean isOurStateNewest() throws IOException;
  }

  /// @param claimedNanos the moment before it was taken
  public HeldLease(
      Clock clock, LeaseRegister register, Proof proof, Lease held, long claimedNanos) {
    this.clock = clock;
    this.register = register;
    this.proof = proof;
    this.newest = held;
    this.term = held.term();
    this.self = held.leader();
    this.generation = held.nodeLeftGeneration();
    this.seenNanos = claimedNanos;
  }

  public long term() {
    return term;
  }

  /// The node-left generation as this leader last wrote it.
  public long generation() {
    return generation;
  }

  /// When the lease was last seen to be ours without a challenge that we had not answered: the
  /// moment before it was read. Nobody leads in our place for `ClusterConfig#leaseSilenceMax` after
  /// that.
  public long seenNanos() {
    return seenNanos;
  }

  /// The lease now; empty when it is another's.
  public Optional<LeaseRegister.Read> read() throws IOException {
    long before = clock.nanoTime();
    LeaseRegister.Read read = readNewest();
    for (int looks = 1; read.isMissing() && proof.isOurStateNewest(); looks++) {
      before = clock.nanoTime();
      Optional<LeaseRegister.Read> again = putBack(read);
      if (again.isEmpty() && looks == LOOKS_MAX) {
        throw new StoreException.Unavailable(
            StoreFailure.INTERNAL,
            "the store says that ["
                + Lease.KEY
                + "] is missing or damaged, and takes no other in its place",
            null);
      }
      read = again.isPresent() ? again.get() : readNewest();
    }
    if (read.lease().term() != term || !read.lease().leader().equals(self)) {
      boolean isOlder = !read.isMissing() && read.lease().term() < term;
      whyLost = isOlder ? setBack(read.lease()) : whyLost(read.lease());
      return Optional.empty();
    }
    if (read.lease().challenger().isEmpty()) {
      seenNanos = before;
    }
    saw(read.lease());
    return Optional.of(read);
  }

  /// @throws StoreException.Unavailable when an older one is read again and again that cannot be
  ///   replaced: who reads the past knows of no challenge
  private LeaseRegister.Read readNewest() throws IOException {
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      LeaseRegister.Read read = register.readIfWhole();
      boolean isOurs = read.lease().term() == term && read.lease().leader().equals(self);
      if (!isOurs || read.lease().beat() >= newest.beat()) {
        return read;
      }
      Optional<LeaseRegister.Read> again = renewed(read);
      if (again.isPresent()) {
        return again.get();
      }
    }
    throw new StoreException.Unavailable(
        StoreFailure.INTERNAL,
        "the store gives an older [" + Lease.KEY + "], and takes no other in its place",
        null);
  }

  private synchronized void saw(Lease ours) {
    if (ours.beat() > newest.beat()) {
      newest = ours;
    }
  }

  /// Empty when something else lies there by now, or all the time: not every answer is true.
  private Optional<LeaseRegister.Read> putBack(LeaseRegister.Read missing) throws IOException {
    Lease again = newest.beating().withState(stateOrdinal);
    Optional<LeaseRegister.Read> ours = register.replace(missing, again);
    LOG.error(
        "the lease was deleted or damaged by somebody else{} [key={}, term={}]",
        ours.isPresent() ? ": it is put back" : ", or another process has written it since",
        Lease.KEY,
        term);
    return ours;
  }

  /// The lease as this node wrote it last, where somebody put an older one of its own term: what
  /// was said in it since is not forgotten. Empty when something else lies there by now.
  private Optional<LeaseRegister.Read> renewed(LeaseRegister.Read older) throws IOException {
    Optional<LeaseRegister.Read> ours =
        register.replace(older, newest.beating().withState(stateOrdinal));
    ours.ifPresent(_ ->
        LOG.error(
            "somebody has put an older lease in the place of the newest: it is put back. Was the"
                + " store set back while nodes run? [key={}, term={}]",
            Lease.KEY,
            term));
    return ours;
  }

  /// Why a node that knows of a later time does not go on in a store.
  ///
  /// @param older what lies there
  public static String setBack(Lease older) {
    return "the store was set back to what it was before: it holds an older state of the cluster than"
        + " this node knows, and what was acknowledged since may be gone. Stop all nodes before a"
        + " store is restored [key="
        + Lease.KEY
        + ", term="
        + older.term()
        + "]";
  }

  /// What the lease said when it was last read and was not ours.
  public String whyLost() {
    return whyLost;
  }

  /// Why a node that led does not any more.
  ///
  /// @param now names another leader, or nobody because somebody has deleted or damaged it
  public static String whyLost(Lease now) {
    return now.leader().isEmpty()
        ? "the lease ["
            + Lease.KEY
            + "] has gone from the store, or is damaged: put it back, or stop all nodes and run"
            + " './holdfast store repair'"
        : "the lease names another leader [leader=" + now.leader() + "]";
  }

  /// Two changes may end in another order than they were written in.
  private synchronized void wrote(long generationNow) {
    generation = Math.max(generation, generationNow);
  }

  /// From now on each change of the lease says that the state log of this term reaches so far.
  public void reached(long newestStateOrdinal) {
    stateOrdinal = newestStateOrdinal;
  }

  /// Changes it; false when it is another's by now.
  ///
  /// @throws StoreException.Unavailable also when the store refuses the change again and again as
  ///   too late: who asked for it tries again in his own time
  public boolean change(UnaryOperator<Lease> change) throws IOException {
    for (int changes = 0; changes < CHANGES_MAX; changes++) {
      long before = clock.nanoTime();
      Optional<LeaseRegister.Read> read = read();
      if (read.isEmpty()) {
        return false;
      }
      Lease changed = change.apply(read.get().lease()).withState(stateOrdinal);
      if (register.replace(read.get(), changed).isPresent()) {
        wrote(changed.nodeLeftGeneration());
        saw(changed);
        if (changed.challenger().isEmpty()) {
          seenNanos = before;
        }
        return true;
      }
    }
    throw new StoreException.Unavailable(
        StoreFailure.INTERNAL,
        "the store takes no change of ["
            + Lease.KEY
            + "]: it says each time that somebody else has changed it since",
        null);
  }
}
