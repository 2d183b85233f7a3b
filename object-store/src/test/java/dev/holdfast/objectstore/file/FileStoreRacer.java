package dev.holdfast.objectstore.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.ObjectStore.Version;
import java.nio.file.Path;
import java.util.Optional;

/// A process that races others for the same keys; prints how many it created.
final class FileStoreRacer {
  static final int KEYS = 100;
  static final int SWAPS = 50;

  private FileStoreRacer() {}

  public static void main(String[] args) throws Exception {
    try (FileStore store = new FileStore(Path.of(args[0]))) {
      int created = 0;
      for (int i = 0; i < KEYS; i++) {
        byte[] bytes = Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8);
        if (store.putIfAbsent("race/" + i, ObjectBody.of(bytes)) instanceof Creation.Created) {
          created++;
        }
      }
      for (int done = 0; done < SWAPS; ) {
        Optional<StoredObject> read = store.get("counter");
        int count = read.map(o -> Integer.parseInt(new String(o.bytes(), UTF_8))).orElse(0);
        Version version = read.map(StoredObject::version).orElse(null);
        byte[] next = Integer.toString(count + 1).getBytes(UTF_8);
        if (store.compareAndSet("counter", version, next) instanceof Swap.Swapped) {
          done++;
        }
      }
      System.out.println(created);
    }
  }
}
