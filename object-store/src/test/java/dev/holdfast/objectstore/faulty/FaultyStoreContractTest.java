package dev.holdfast.objectstore.faulty;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStoreContract;
import dev.holdfast.objectstore.SeededChance;
import dev.holdfast.objectstore.retry.Retrying;

/// A store on a bad day, retried, keeps the contract: above all the races, where a lost answer
/// makes a writer meet its own write.
final class FaultyStoreContractTest implements ObjectStoreContract {
  @Override
  public ObjectStore store() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    var world = SeededChance.world(seed, false);
    return Retrying.forever(new Faulty(new MemoryStore(), world, StoreFaults.STORM), world);
  }

  @Override
  public boolean isEachSwapCountedOnce() {
    return false;
  }
}
