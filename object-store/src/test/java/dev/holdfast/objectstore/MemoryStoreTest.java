package dev.holdfast.objectstore;

/// The store in memory keeps the contract.
final class MemoryStoreTest implements ObjectStoreContract {
  @Override
  public ObjectStore store() {
    return new MemoryStore();
  }
}
