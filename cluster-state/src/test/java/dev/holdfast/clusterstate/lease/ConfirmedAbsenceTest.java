package dev.holdfast.clusterstate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.ForwardingStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.objectstore.retry.StoreHealth;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A store that says of what it lists that there is no such object: waited out, and told of.
final class ConfirmedAbsenceTest {
  private final MemoryStore store = new MemoryStore();
  private final StoreHealth health = new StoreHealth();
  private final World real = RealWorld.create();
  private final List<StoreTrouble> told = new ArrayList<>();
  private int lies;
  private int gets;

  /// Its waits are not waited: health is asked meanwhile.
  private final Retrying asked =
      Retrying.forever(
          new ConfirmedAbsence(
              new ForwardingStore(store) {
                @Override
                public Optional<StoredObject> get(String key) throws StoreException {
                  return gets++ < lies ? Optional.empty() : super.get(key);
                }
              }),
          new World(
              real.clock(),
              _ -> told.addAll(health.failing(real.clock().nanoTime(), Duration.ZERO)),
              real.ids(),
              real.chance(),
              real.tasks()),
          health);

  @Test
  void whatIsListedIsAskedForUntilItComes() throws Exception {
    store.put(Lease.KEY, ObjectBody.of(new byte[] {7}));
    lies = 6; // three tries of two

    assertThat(asked.get(Lease.KEY))
        .hasValueSatisfying(stored -> assertThat(stored.bytes()).containsExactly(7));

    assertThat(told)
        .hasSize(3)
        .last()
        .satisfies(trouble -> {
          assertThat(trouble.key()).isEqualTo(Lease.KEY);
          assertThat(trouble.message()).contains("lists [cluster/lease]");
        });
    assertThat(health.failing(real.clock().nanoTime(), Duration.ZERO)).isEmpty();
  }

  @Test
  void whatIsNotListedIsAbsent() throws Exception {
    store.put(Lease.KEY + ".bak", ObjectBody.of(new byte[] {7}));

    assertThat(asked.get(Lease.KEY)).isEmpty();

    assertThat(gets).isEqualTo(1);
    assertThat(told).isEmpty();
  }

  /// Others are missing where something is damaged: that is found by who reads them.
  @Test
  void otherObjectsAreBelievedAtOnce() throws Exception {
    store.put("shards/a", ObjectBody.of(new byte[] {7}));
    lies = 1;

    assertThat(asked.get("shards/a")).isEmpty();
  }
}
