package dev.holdfast.clusterstate;

import java.util.Comparator;

/// What the cluster state knows of a shard's newest blob in the store (decision 018). The store
/// holds this blob or a newer one, else something was lost; whatever is newer than it can also be
/// had from the log, which is kept until the mark has passed it.
///
/// @param primaryTerm of the blob's owner; 0 when no blob was marked yet
/// @param generation of the blob
/// @param maxSeqNo of the blob's newest commit; -1 for none
/// @param node ephemeral id of whose log has the operations that the blob lacks; empty when it
///   lacks none
/// @param lost the key of an object without which the shard cannot be opened; empty for none
/// @param why how that was found out, for people
/// @param acceptsLoss a person has said that the shard is to be opened with what there is
public record UploadMark(
    long primaryTerm,
    long generation,
    long maxSeqNo,
    String node,
    String lost,
    String why,
    boolean acceptsLoss) {
  public static final UploadMark NONE = new UploadMark(0, 0, -1, "", "", "", false);

  private static final Comparator<UploadMark> BY_BLOB =
      Comparator.comparingLong(UploadMark::primaryTerm).thenComparingLong(UploadMark::generation);

  /// A blob that was uploaded.
  public static UploadMark of(long primaryTerm, long generation, long maxSeqNo, String node) {
    return new UploadMark(primaryTerm, generation, maxSeqNo, node, "", "", false);
  }

  /// Whether a blob was marked.
  public boolean isMarked() {
    return primaryTerm > 0;
  }

  /// Whether the shard lacks an object and nobody has accepted that.
  public boolean isShort() {
    return !lost.isEmpty() && !acceptsLoss;
  }

  /// Whether it is of that blob or of a newer one.
  public boolean covers(UploadMark other) {
    return BY_BLOB.compare(this, other) >= 0;
  }

  /// An object is missing.
  public UploadMark withLost(String key, String how) {
    return new UploadMark(primaryTerm, generation, maxSeqNo, node, key, how, false);
  }

  /// The shard is to be opened with what there is.
  public UploadMark withAcceptedLoss() {
    return new UploadMark(primaryTerm, generation, maxSeqNo, node, lost, why, true);
  }
}
