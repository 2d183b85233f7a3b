package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.ArrayList;
import java.util.List;

/// What the file system's failures mean to a store's caller.
public final class FileFailures {
  private FileFailures() {}

  static <T> T sorted(String what, FileKeyLocks.Step<T> step) throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (AccessDeniedException | ReadOnlyFileSystemException e) {
      throw new StoreException.Unavailable(
          StoreFailure.DENIED, what + " not permitted: " + e.getMessage(), e);
    } catch (UnsupportedOperationException e) {
      throw new StoreException.Denied(what + " not supported by this file system", e);
    } catch (IOException e) {
      StoreFailure failure = failure(String.valueOf(e.getMessage()));
      throw new StoreException.Unavailable(
          failure,
          failure == StoreFailure.DENIED
              ? what + " not permitted: " + e.getMessage()
              : what + " failed: " + e,
          e);
    }
  }

  /// What a folder holds. One that can't be read to its end fails as any file does.
  static List<Path> all(DirectoryStream<Path> paths) throws IOException {
    List<Path> all = new ArrayList<>();
    try {
      paths.forEach(all::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  /// By the words of the operating system: Java has no type for them.
  public static StoreFailure failure(String message) {
    if (message.contains("Operation not permitted") || message.contains("Read-only file")) {
      return StoreFailure.DENIED;
    }
    return message.contains("No space left") || message.contains("quota exceeded")
        ? StoreFailure.FULL
        : StoreFailure.INTERNAL;
  }
}
