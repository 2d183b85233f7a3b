package dev.holdfast.objectstore;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ReadOnlyFileSystemException;

/// What the file system's failures mean to a store's caller.
final class FileFailures {
  private FileFailures() {}

  static <T> T sorted(String what, FileKeyLocks.Step<T> step) throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (AccessDeniedException | ReadOnlyFileSystemException e) {
      throw new StoreException.Denied(what + " not permitted: " + e.getMessage(), e);
    } catch (UnsupportedOperationException e) {
      throw new StoreException.Denied(what + " not supported by this file system", e);
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      if (message.contains("Operation not permitted") || message.contains("Read-only file")) {
        throw new StoreException.Denied(what + " not permitted: " + message, e);
      }
      throw new StoreException.Unavailable(what + " failed: " + e, e);
    }
  }
}
