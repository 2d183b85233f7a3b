package dev.holdfast.simulation.cluster;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A simulated process's way to the store: faulty and late, cut off for a while, closed for good
/// when the process is buried.
public final class NodeStore {
  private static final double ANSWER_DELAY_CHANCE = 0.3;

  /// How often bytes of a blob are damaged on their way.
  private static final double DAMAGE_CHANCE = 0.03;

  private final World world;
  private final Faulty faulty;
  private final ObjectStore store;
  private @Nullable Trap trap;
  private boolean isBuried;
  private boolean isCutOff;

  NodeStore(ObjectStore store, World world, StoreFaults faults) {
    this.world = world;
    this.faulty = new Faulty(late(store), world, faults);
    this.store = sealable(faulty);
  }

  /// What happens when the process is about to write.
  ///
  /// @param prefix of the keys that count
  public record Trap(String prefix, Runnable action) {}

  /// An answer that takes time: a process that is frozen or killed meanwhile has written and does
  /// not know it.
  private ObjectStore late(ObjectStore near) {
    return new Intercepted(
        near,
        new Intercepted.Interceptor() {
          @Override
          public <T> T around(Intercepted.Call call, Intercepted.Request<T> request)
              throws StoreException {
            T answer = damaged(call, request.send());
            if (world.chance().nextDouble() < ANSWER_DELAY_CHANCE) {
              try {
                world.sleeper().sleep(Duration.ofMillis(1 + world.chance().nextInt(30)));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException.Unavailable("interrupted", e);
              }
            }
            return answer;
          }
        });
  }

  /// Bytes of blobs do not always come as they were written.
  @SuppressWarnings("unchecked")
  private <T> T damaged(Intercepted.Call call, T answer) {
    if (!call.key().startsWith("shards/") || world.chance().nextDouble() >= DAMAGE_CHANCE) {
      return answer;
    }
    return switch (answer) {
      case byte[] bytes -> (T) flipped(bytes);
      case ObjectStore.Suffix suffix ->
          (T) new ObjectStore.Suffix(flipped(suffix.bytes()), suffix.objectLength());
      default -> answer;
    };
  }

  private byte[] flipped(byte[] bytes) {
    byte[] flipped = bytes.clone();
    if (flipped.length > 0) {
      flipped[world.chance().nextInt(flipped.length)] ^= (byte) (1 << world.chance().nextInt(8));
    }
    return flipped;
  }

  /// What is dead reaches nothing.
  private ObjectStore sealable(ObjectStore open) {
    return new Intercepted(
        open,
        new Intercepted.Interceptor() {
          @Override
          public <T> T around(Intercepted.Call call, Intercepted.Request<T> request)
              throws StoreException {
            if (isBuried) {
              throw new StoreException.Denied("the process is dead", null);
            }
            Trap armed = trap;
            if (armed != null && call.verb().isWrite() && call.key().startsWith(armed.prefix)) {
              trap = null;
              armed.action.run();
            }
            return request.send();
          }
        });
  }

  /// Does something at the worst moment: when the process has decided to write, or to delete, and
  /// has not done it yet.
  public void trap(@Nullable Trap next) {
    trap = next;
  }

  void faults(StoreFaults faults) {
    faulty.faults(faults);
  }

  /// From now on the store refuses requests for keys that begin so; null ends it.
  public void refuse(@Nullable StoreFailure failure, String prefix) {
    faulty.refuse(failure, prefix);
  }

  /// From now on the store does what is asked, and then refuses it.
  public void refuseAfter(StoreFailure failure) {
    faulty.refuseAfter(failure);
  }

  /// From now on the store deletes nothing.
  public void refuseDeletes(StoreFailure failure) {
    faulty.refuseDeletes(failure);
  }

  public boolean isCutOff() {
    return isCutOff;
  }

  public void outage(boolean isOutage) {
    isCutOff = isOutage;
    faulty.outage(isOutage);
  }

  void bury() {
    isBuried = true;
  }

  boolean isBuried() {
    return isBuried;
  }

  Retrying forever() {
    return forever(store -> store);
  }

  /// @param tried stands where each try passes
  Retrying forever(UnaryOperator<ObjectStore> tried) {
    return Retrying.forever(tried.apply(store), world);
  }

  Retrying atMost(int triesMax) {
    return Retrying.atMost(store, world, triesMax);
  }
}
