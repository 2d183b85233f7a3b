package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The folder of a store, with what it has beside objects. A folder that goes away while it is
/// open, because it was unmounted or moved, is a store that is out of reach
/// ([StoreFailure#NO_BUCKET]), not an empty one.
///
/// @param root without links
record StoreFolder(Path root) {
  /// Makes it when it does not exist.
  static StoreFolder open(Path root) throws IOException {
    return new StoreFolder(Files.createDirectories(root).toRealPath());
  }

  /// Of files being written.
  Path temp() {
    return root.resolve("+temp");
  }

  Path locks() {
    return root.resolve("+locks");
  }

  /// Runs `step`, and tells a file that is missing from a folder that is.
  ///
  /// @param what is done, for messages
  <T> T sorted(String what, FileKeyLocks.Step<T> step) throws StoreException {
    return FileFailures.sorted(
        what,
        () -> {
          try {
            return step.run();
          } catch (NoSuchFileException | FileNotFoundException e) {
            require();
            throw e;
          }
        });
  }

  /// Asked before anything is called absent. What was made at the opening has not gone unless the
  /// whole store has; who cleans up what is old and empty may take one of the two folders, which is
  /// made again.
  ///
  /// @throws StoreException.Unavailable when the store has gone
  void require() throws IOException {
    boolean hasTemp = Files.isDirectory(temp());
    boolean hasLocks = Files.isDirectory(locks());
    if (!hasTemp && !hasLocks) {
      throw new StoreException.Unavailable(
          StoreFailure.NO_BUCKET,
          "the store's folder [" + root + "] has gone: is it still mounted?",
          null);
    }
    if (!hasTemp || !hasLocks) {
      Files.createDirectories(hasTemp ? locks() : temp());
    }
  }
}
