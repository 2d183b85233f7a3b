package dev.holdfast.compoundcommit;

import dev.holdfast.clusterstate.ShardId;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// A batched compound commit of a shard: the primary term it was written under and the generation
/// of its first commit, so that two owners of different terms never write the same object (§4).
public record BlobId(long primaryTerm, long generation) implements Comparable<BlobId> {
  private static final Comparator<BlobId> ORDER =
      Comparator.comparingLong(BlobId::primaryTerm).thenComparingLong(BlobId::generation);

  /// `<shard folder><~term>/<~generation>`, both inverted and in hexadecimal, so that the first key
  /// of a LIST is the newest.
  public String key(ShardId shard) {
    return String.format(Locale.ROOT, "%s%016x/%016x", shard.folder(), ~primaryTerm, ~generation);
  }

  /// The id whose key this is; empty when it is no blob of the shard.
  public static Optional<BlobId> parse(ShardId shard, String key) {
    String folder = shard.folder();
    int at = folder.length();
    if (!key.startsWith(folder) || key.length() != at + 33 || key.charAt(at + 16) != '/') {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new BlobId(
              ~Long.parseUnsignedLong(key, at, at + 16, 16),
              ~Long.parseUnsignedLong(key, at + 17, at + 33, 16)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(BlobId other) {
    return ORDER.compare(this, other);
  }
}
