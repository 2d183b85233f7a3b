package dev.holdfast.clusterstate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Clock;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a leader knows of its lease, over a clock that the test moves.
final class HeldLeaseTest {
  private final AtomicLong nanos = new AtomicLong(1_000);
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return nanos.get();
        }

        @Override
        public long epochMillis() {
          return 0;
        }
      };
  private final MemoryStore store = new MemoryStore();
  private final LeaseRegister register = new LeaseRegister(store);
  private boolean isOurStateNewest;
  private HeldLease held;

  @BeforeEach
  void lead() throws Exception {
    replace(Lease.none().claimedBy("n0", "n0:1"));
    held = new HeldLease(clock, register, () -> isOurStateNewest, register.read().lease(), 500);
  }

  private void replace(Lease lease) throws Exception {
    assertThat(register.replace(register.read(), lease)).isPresent();
  }

  private Lease now() throws Exception {
    return register.read().lease();
  }

  @Test
  void aLeaseThatWasWonWasSeenWhenItWasClaimed() {
    assertThat(held.term()).isEqualTo(1);
    assertThat(held.seenNanos()).isEqualTo(500);
    assertThat(held.generation()).isEqualTo(1);
    assertThat(held.whyLost()).isEmpty();
  }

  @Test
  void aReadWithoutAChallengeIsASign() throws Exception {
    assertThat(held.read()).isPresent();

    assertThat(held.seenNanos()).isEqualTo(1_000);
  }

  @Test
  void aReadWithAChallengeIsNone() throws Exception {
    replace(now().challengedBy("n1"));

    assertThat(held.read()).isPresent();

    assertThat(held.seenNanos()).isEqualTo(500);
  }

  @Test
  void anAnswerToAChallengeIsASignOfTheMomentBeforeItWasRead() throws Exception {
    replace(now().challengedBy("n1"));
    nanos.set(2_000);

    assertThat(
            held.change(lease -> {
              nanos.set(9_000); // it takes long
              return lease.beating();
            }))
        .isTrue();

    assertThat(now().challenger()).isEmpty();
    assertThat(held.seenNanos()).isEqualTo(2_000);
  }

  @Test
  void aChangeThatLeavesTheChallengeIsNoSign() throws Exception {
    replace(now().challengedBy("n1"));
    nanos.set(2_000);

    assertThat(held.change(Lease::afterEviction)).isTrue();

    assertThat(held.seenNanos()).isEqualTo(500);
    assertThat(held.generation()).isEqualTo(2);
    assertThat(now().nodeLeftGeneration()).isEqualTo(2);
    assertThat(now().challenger()).isEqualTo("n1");
  }

  @Test
  void aChangeSaysHowFarTheStateLogReaches() throws Exception {
    assertThat(held.change(Lease::afterEviction)).isTrue();
    assertThat(now().stateOrdinal()).isZero();

    held.reached(7);
    assertThat(held.change(Lease::afterEviction)).isTrue();

    assertThat(now().stateTerm()).isEqualTo(1);
    assertThat(now().stateOrdinal()).isEqualTo(7);
    assertThat(held.generation()).isEqualTo(3);
  }

  @Test
  void aChangeThatLosesARaceIsMadeAgain() throws Exception {
    AtomicLong tries = new AtomicLong();

    boolean isChanged =
        held.change(lease -> {
          if (tries.incrementAndGet() == 1) {
            challenged();
          }
          return lease.afterEviction();
        });

    assertThat(isChanged).isTrue();
    assertThat(tries).hasValue(2);
    assertThat(now().nodeLeftGeneration()).isEqualTo(2);
    assertThat(now().challenger()).isEqualTo("n1");
  }

  private void challenged() {
    try {
      replace(now().challengedBy("n1"));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoWasReplacedChangesNothingAndSaysByWhom() throws Exception {
    replace(now().claimedBy("n1", "n1:1"));

    assertThat(held.change(Lease::afterEviction)).isFalse();

    assertThat(held.read()).isEmpty();
    assertThat(held.whyLost()).contains("another leader").contains("n1");
    assertThat(now().nodeLeftGeneration()).as("of the other's claim").isEqualTo(2);
    assertThat(held.seenNanos()).isEqualTo(500);
  }

  /// As when a store is restored from a copy under a leader.
  @Test
  void anOlderLeaseOfItsOwnTermIsReplacedByTheNewest() throws Exception {
    Lease older = now();
    assertThat(held.change(Lease::afterEviction)).isTrue();
    assertThat(held.change(Lease::afterEviction)).isTrue();
    held.reached(7);
    Lease newest = now();
    replace(older);

    assertThat(held.read()).isPresent();

    assertThat(now().nodeLeftGeneration()).isEqualTo(newest.nodeLeftGeneration());
    assertThat(now().beat()).as("no older bytes").isGreaterThan(newest.beat());
    assertThat(now().stateOrdinal()).isEqualTo(7);
  }

  @Test
  void whoseLeaseIsOfAnEarlierTermSaysThatTheStoreWasSetBack() throws Exception {
    Lease older = now();
    replace(older.claimedBy("n0", "n0:1"));
    HeldLease later = new HeldLease(clock, register, () -> true, now(), 500);
    replace(older);

    assertThat(later.read()).isEmpty();

    assertThat(later.whyLost()).contains("the store was set back", "term=1");
    assertThat(now()).isEqualTo(older);
  }

  @Test
  void whoseLeaseIsGoneSaysSo() throws Exception {
    store.deleteAll(java.util.List.of(Lease.KEY));

    assertThat(held.read()).isEmpty();

    assertThat(held.whyLost()).contains("has gone from the store").contains(Lease.KEY);
  }

  @Test
  void aLeaseThatIsGoneIsPutBackByWhoeverWroteTheNewestState() throws Exception {
    assertThat(held.change(Lease::afterEviction)).isTrue();
    held.reached(7);
    Lease before = now();
    isOurStateNewest = true;
    store.deleteAll(java.util.List.of(Lease.KEY));
    nanos.set(2_000);

    assertThat(held.change(Lease::beating)).isTrue();

    assertThat(now().leader()).isEqualTo("n0");
    assertThat(now().term()).isEqualTo(1);
    assertThat(now().nodeLeftGeneration()).isEqualTo(before.nodeLeftGeneration());
    assertThat(now().stateOrdinal()).isEqualTo(7);
    assertThat(now().beat()).as("no older bytes").isGreaterThan(before.beat());
    assertThat(held.seenNanos()).isEqualTo(2_000);
  }

  @Test
  void aLeaseThatIsDamagedIsPutBackToo() throws Exception {
    isOurStateNewest = true;
    byte[] bytes = store.get(Lease.KEY).orElseThrow().bytes().clone();
    bytes[bytes.length / 2] ^= 1;
    store.put(Lease.KEY, dev.holdfast.objectstore.ObjectBody.of(bytes));

    assertThat(held.read()).isPresent();

    assertThat(now().leader()).isEqualTo("n0");
  }

  @Test
  void aLeaseThatWasTakenBeforeItWasLostIsNotPutBackByWhoLedBefore() throws Exception {
    replace(now().claimedBy("n1", "n1:1"));
    isOurStateNewest = false; // the other has fenced it
    store.deleteAll(java.util.List.of(Lease.KEY));

    assertThat(held.read()).isEmpty();

    assertThat(store.get(Lease.KEY)).isEmpty();
  }

  /// A store that answers as if it had no lease, or a damaged one, while it has a whole one.
  private HeldLease heldIn(ObjectStore lying) throws Exception {
    isOurStateNewest = true;
    return new HeldLease(clock, new LeaseRegister(lying), () -> isOurStateNewest, now(), 500);
  }

  @Test
  void whatIsListedIsNotGoneBecauseTheStoreSaysSo() throws Exception {
    AtomicLong lies = new AtomicLong(10);
    HeldLease ofLiar =
        heldIn(
            new ForwardingStore(store) {
              @Override
              public Optional<StoredObject> get(String key) throws StoreException {
                return lies.getAndDecrement() > 0 ? Optional.empty() : super.get(key);
              }
            });
    Lease before = now();

    assertThatThrownBy(ofLiar::read)
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("lists [cluster/lease]");
    assertThat(now()).isEqualTo(before);

    lies.set(1);
    assertThat(ofLiar.read()).isPresent();
  }

  /// Such a name begins as the lease's does.
  @Test
  void aCopyThatSomebodyMadeOfTheLeaseIsNone() throws Exception {
    StoredObject lease = store.get(Lease.KEY).orElseThrow();
    var _ = store.putIfAbsent(Lease.KEY + ".bak", ObjectBody.of(lease.bytes()));
    isOurStateNewest = true;
    store.deleteAll(java.util.List.of(Lease.KEY));

    assertThat(held.read()).isPresent();

    assertThat(store.get(Lease.KEY)).isPresent();
  }

  /// As of a cache that gives half of it: what was written a moment before is not read again.
  @Test
  void aLeaseThatIsReadDamagedAgainAndAgainIsNoOthers() throws Exception {
    HeldLease ofLiar =
        heldIn(
            new ForwardingStore(store) {
              @Override
              public Optional<StoredObject> get(String key) throws StoreException {
                return super.get(key)
                    .map(object ->
                        new StoredObject(
                            Arrays.copyOf(object.bytes(), object.bytes().length / 2),
                            object.version()));
              }
            });

    assertThat(ofLiar.read()).isPresent();
    assertThat(now().leader()).isEqualTo("n0");
  }

  /// As of a cache that keeps it: who reads the past does not ask for ever, and takes it for no
  /// sign.
  @Test
  @Timeout(20)
  void aLeaseThatIsReadOldAgainAndAgainIsNoSign() throws Exception {
    StoredObject old = store.get(Lease.KEY).orElseThrow();
    AtomicLong lies = new AtomicLong();
    HeldLease ofLiar =
        heldIn(
            new ForwardingStore(store) {
              @Override
              public Optional<StoredObject> get(String key) throws StoreException {
                return lies.getAndDecrement() > 0 ? Optional.of(old) : super.get(key);
              }
            });
    assertThat(ofLiar.change(Lease::afterEviction)).isTrue();
    long seenNanos = ofLiar.seenNanos();
    nanos.addAndGet(1_000);

    lies.set(100);
    assertThatThrownBy(ofLiar::read)
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("older [cluster/lease]");
    assertThat(ofLiar.seenNanos()).isEqualTo(seenNanos);

    lies.set(1);
    assertThat(ofLiar.read()).isPresent();
  }

  /// As of something between that answers so: who asks again at once would ask for ever.
  @Test
  void aStoreThatTakesNoChangeIsNotAskedWithoutEnd() throws Exception {
    AtomicLong asked = new AtomicLong();
    HeldLease ofLiar =
        heldIn(
            new ForwardingStore(store) {
              @Override
              public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes) {
                if (asked.incrementAndGet() > 1_000) {
                  throw new AssertionError("it is asked without end");
                }
                return new Swap.Conflict();
              }
            });
    Lease before = now();

    assertThatThrownBy(() -> ofLiar.change(Lease::afterEviction))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("takes no change of [cluster/lease]");

    assertThat(ofLiar.generation()).isEqualTo(1);
    assertThat(now()).isEqualTo(before);
  }
}
