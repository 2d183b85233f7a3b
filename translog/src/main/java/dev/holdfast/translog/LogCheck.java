package dev.holdfast.translog;

import dev.holdfast.translog.LogFile.Entry;
import dev.holdfast.translog.LogFile.Tail;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Arrays;

/// Checks whole translog files: every byte of one is a frame's, the directory's at either end, the
/// head's or the trailer's, and each of those has a checksum.
public final class LogCheck {
  private LogCheck() {}

  /// Whether an object has the name of a translog file or a fence. Others in the folder are not
  /// ours.
  public static boolean isKey(String key) {
    return LogFile.isKey(key);
  }

  /// @param key of the object, for messages
  /// @param file all of its bytes
  /// @throws CorruptObjectException when it is not what was written
  public static void check(String key, byte[] file) throws IOException {
    try {
      if (LogFile.tail(file, file.length, key) instanceof Tail.Directory directory) {
        boolean hasHead = directory.before() != null;
        Tail head = hasHead ? LogFile.head(file, file.length).orElse(null) : directory;
        if (!(head instanceof Tail.Directory)) {
          throw new CorruptObjectException(key, "translog file: head");
        }
        for (Entry entry : directory.entries()) {
          int from = Math.toIntExact(entry.offset());
          byte[] frame = Arrays.copyOfRange(file, from, from + entry.length());
          var _ = LogFile.operations(entry, frame, key);
        }
      }
    } catch (RuntimeException e) {
      throw new CorruptObjectException(key, "translog file cannot be read", e);
    }
  }
}
