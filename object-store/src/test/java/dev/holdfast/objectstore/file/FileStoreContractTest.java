package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStoreContract;
import dev.holdfast.objectstore.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/// The local folder keeps the contract.
final class FileStoreContractTest implements ObjectStoreContract {
  @TempDir Path folder;

  @Override
  public ObjectStore store() throws StoreException {
    return new FileStore(folder.resolve("store"));
  }
}
