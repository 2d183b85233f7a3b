package dev.holdfast.compoundcommit;

import dev.holdfast.clusterstate.ShardId;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// A batched compound commit of a shard: the primary term it was written under and the generation
/// of its first commit, so that two owners of different terms never write the same object (§4).
/// Under term 0, which no owner has, lie copies of other shards' blobs, which a shard inherited:
/// older than any of its own, and no commit of the shard (decision 011).
public record BlobId(long primaryTerm, long generation) implements Comparable<BlobId> {
  private static final long INHERITED = 0;
  private static final String INHERITED_FOLDER = "ffffffffffffffff/";
  private static final Pattern KEY =
      Pattern.compile("shards/[0-9a-f]{2}/[^/]+/[0-9]+/[89a-f][0-9a-f]{15}/[89a-f][0-9a-f]{15}");
  private static final Comparator<BlobId> ORDER =
      Comparator.comparingLong(BlobId::primaryTerm).thenComparingLong(BlobId::generation);

  /// The id of a copy of another shard's blob: always the same for that blob, so that whoever
  /// copies it again writes the same bytes under the same name.
  public static BlobId inherited(ShardId from, BlobId blob) {
    BytesRef key = new BytesRef(blob.key(from));
    return new BlobId(INHERITED, StringHelper.murmurhash3_x64_128(key)[0] & Long.MAX_VALUE);
  }

  /// Whether it is a copy of another shard's blob.
  public boolean isInherited() {
    return primaryTerm == INHERITED;
  }

  /// `<shard folder><~term>/<~generation>`, both inverted and in hexadecimal, so that the first key
  /// of a LIST is the newest.
  public String key(ShardId shard) {
    return shard.folder() + name();
  }

  /// `<~term>/<~generation>`: what the keys of all shards have behind their folders.
  public String name() {
    return String.format(Locale.ROOT, "%016x/%016x", ~primaryTerm, ~generation);
  }

  /// Whether an object has the name of a blob, of whatever shard. Others lie there because a
  /// person, or a tool that shows a bucket as folders, put them there.
  public static boolean isKey(String key) {
    return KEY.matcher(key).matches();
  }

  /// Whether that is the name of a copy of another shard's blob.
  public static boolean isInheritedKey(String key) {
    int at = key.length() - 33;
    return at > 0 && key.startsWith(INHERITED_FOLDER, at) && isKey(key);
  }

  /// The id whose key this is; empty when it is no blob of the shard.
  public static Optional<BlobId> parse(ShardId shard, String key) {
    String folder = shard.folder();
    int at = folder.length();
    if (!key.startsWith(folder) || key.length() != at + 33 || key.charAt(at + 16) != '/') {
      return Optional.empty();
    }
    try {
      BlobId id =
          new BlobId(
              ~Long.parseUnsignedLong(key, at, at + 16, 16),
              ~Long.parseUnsignedLong(key, at + 17, at + 33, 16));
      return Optional.of(id).filter(blob -> blob.key(shard).equals(key)); // no other spelling
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(BlobId other) {
    return ORDER.compare(this, other);
  }
}
