package dev.holdfast.objectstore;

/// A store on a bad day, retried, keeps the contract: above all the races, where a lost answer
/// makes a writer meet its own write.
final class FaultyStoreContractTest implements ObjectStoreContract {
  @Override
  public ObjectStore store() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    var world = SeededChance.world(seed, false);
    return Retrying.forever(new Faulty(new MemoryStore(), world, Faults.STORM), world);
  }

  @Override
  public boolean isEachSwapCountedOnce() {
    return false;
  }
}
