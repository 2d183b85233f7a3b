package dev.holdfast.translog;

/// Which write operations are part of: one request's writes to one shard, by a name that stays the
/// same when they are sent again. With their place in that write it names each of them for ever.
///
/// @param node of the node that routes the write, by [#node(String)]; 0: nobody sends it again
/// @param number that node's number of the write; larger for later ones
/// @param oldest the lowest number of a write to this shard that its node may still send again;
///   those below have been answered or given up
public record WriteOrigin(long node, long number, long oldest) {
  /// Of operations that nobody sends again.
  public static final WriteOrigin NONE = new WriteOrigin(0, 0, 0);

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  public WriteOrigin {
    if (number < oldest) {
      throw new IllegalArgumentException(
          "a write is below the oldest [number=" + number + ", oldest=" + oldest + "]");
    }
  }

  /// The short name of a process in the log: 64 bits of its ephemeral id, which is random.
  public static long node(String ephemeralId) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < ephemeralId.length(); i++) {
      hash = (hash ^ ephemeralId.charAt(i)) * FNV_PRIME;
    }
    return hash == 0 ? 1 : hash;
  }

  public boolean isNone() {
    return node == 0;
  }
}
