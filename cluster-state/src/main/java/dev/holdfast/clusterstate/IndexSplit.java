package dev.holdfast.clusterstate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How an index got, and gets, more shards than it was made with (decision 031). Shards are added
/// one at a time: the next one, whose number is the number of shards that there are, gets its
/// documents from its source, and both go on under the next primary term.
///
/// @param base how many shards the index was made with
/// @param from how many it had before its newest split
/// @param to how many it has when that is over; a multiple of `from`
/// @param parts one for each shard from `base` on, in their order
public record IndexSplit(int base, int from, int to, List<Part> parts) {
  /// Stands for a shard that was never divided.
  public static final long NEVER = 0;

  /// The beginning of a shard.
  ///
  /// @param source number of the shard that had its documents
  /// @param primaryTerm of both from then on: older commits of the source have documents of both
  /// @param blobTerm primary term of the source's blob that the shard begins with; 0 for none,
  ///   nobody had written to the source
  /// @param blobGeneration of that blob
  public record Part(int source, long primaryTerm, long blobTerm, long blobGeneration) {
    /// Whether it begins with nothing.
    public boolean isEmpty() {
      return blobTerm == 0;
    }
  }

  public IndexSplit {
    parts = List.copyOf(parts);
  }

  /// A split begins.
  ///
  /// @param before null when the index has as many shards as it was made with
  /// @param shards that it has
  /// @param to a multiple of `shards`
  public static IndexSplit begun(@Nullable IndexSplit before, int shards, int to) {
    return before == null
        ? new IndexSplit(shards, shards, to, List.of())
        : new IndexSplit(before.base, shards, to, before.parts);
  }

  /// One more shard has begun.
  IndexSplit with(Part part) {
    List<Part> more = new ArrayList<>(parts);
    more.add(part);
    return new IndexSplit(base, from, to, more);
  }

  /// The same for an index that begins anew with as many shards, each with its own documents: one
  /// that was restored from a snapshot.
  public IndexSplit restored(int shards) {
    return new IndexSplit(shards, from, to, List.of());
  }

  /// The same without the newest split, of which no shard has begun; null when nothing is left.
  @Nullable IndexSplit givenUp() {
    return parts.isEmpty() ? null : new IndexSplit(base, from, from, parts);
  }

  /// Whether shards are still to come.
  ///
  /// @param shards that there are
  public boolean isUnderWay(int shards) {
    return shards < to;
  }

  /// The shard that has the documents of the next one.
  ///
  /// @param shards that there are
  public int nextSource(int shards) {
    return shards % from;
  }

  /// How a shard began; null for one that the index was made with.
  public @Nullable Part part(int number) {
    return number < base || number - base >= parts.size() ? null : parts.get(number - base);
  }

  /// The primary term since which a shard has the documents that it has now: its commits of lower
  /// ones have more. [#NEVER] when they all have the same.
  public long dividedSince(int number) {
    return dividedSince(number, Long.MAX_VALUE);
  }

  /// The same as of a commit of the shard.
  ///
  /// @param primaryTerm of the commit
  public long dividedSince(int number, long primaryTerm) {
    long since = NEVER;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if ((part.source == number || base + i == number) && part.primaryTerm <= primaryTerm) {
        since = Math.max(since, part.primaryTerm);
      }
    }
    return since;
  }

  /// The shards that have documents which a shard had when it was divided last before.
  ///
  /// @param since its [#dividedSince(int)] at that time
  public List<Integer> madeOf(int number, long since) {
    List<Integer> made = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.source == number ? part.primaryTerm > since : made.contains(part.source)) {
        made.add(base + i);
      }
    }
    return made;
  }

  /// The shards that once had the documents of a shard, the newest first.
  public List<Integer> sources(int number) {
    List<Integer> sources = new ArrayList<>();
    for (Part part = part(number); part != null; part = part(part.source)) {
      sources.add(part.source);
    }
    return sources;
  }
}
