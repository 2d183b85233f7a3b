package dev.holdfast.clusterstate;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The changes of the cluster state by which an index gets more shards while it is written and
/// searched (decision 031). Functions of the newest state: made again, they change nothing.
public final class OnlineSplit {
  /// Shards of an index at most.
  public static final int SHARDS_MAX = 1024;

  private OnlineSplit() {}

  /// The state in which an index is to have that many shards.
  ///
  /// @throws Refusal when it cannot have them, or cannot be split now
  public static ClusterState begun(ClusterState state, IndexId id, int to) {
    IndexMetadata index = state.indices().get(id.name());
    if (index == null || !index.id().equals(id)) {
      throw Refusal.indexNotFound(id.name());
    }
    IndexSplit before = index.split();
    if (before != null && before.to() == to) {
      return state; // asked for again
    }
    if (before != null && before.isUnderWay(index.shards())) {
      throw underWay(index);
    }
    requireFactor(index.shards(), to);
    Formats.requireEnabled(state, Formats.ONLINE_SPLIT, "splits of indices that are written to");
    if (!index.isOpen()) {
      throw new Refusal(ErrorType.INDEX_CLOSED, "closed")
          .with("index_uuid", id.uuid())
          .with("index", id.name());
    }
    requireNotCopied(state, index);
    return state.withIndex(index.withSplit(IndexSplit.begun(before, index.shards(), to)));
  }

  /// The state in which an index is to have the shards that it has: none of those that it is to get
  /// is there. The change that would add one finds no split then, and is not made; what the store
  /// has copied for it waits for the next split. Unchanged when the index is not being split.
  ///
  /// @throws Refusal when one of the new shards is there, with documents that nobody brings back
  public static ClusterState givenUp(ClusterState state, IndexId id) {
    IndexMetadata index = state.indices().get(id.name());
    if (index == null || !index.id().equals(id)) {
      throw Refusal.indexNotFound(id.name());
    }
    IndexSplit split = index.split();
    if (split == null || !split.isUnderWay(index.shards())) {
      return state;
    }
    if (index.shards() > split.from()) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "index ["
              + id.name()
              + "] has ["
              + index.shards()
              + "] of ["
              + split.to()
              + "] shards: documents that new shards have are not brought back, the split goes on"
              + " until all are there");
    }
    return state.withIndex(index.withSplit(split.givenUp()));
  }

  /// What is answered while shards are still to come.
  public static Refusal underWay(IndexMetadata index) {
    IndexSplit split = index.split();
    return new Refusal(
        ErrorType.ILLEGAL_STATE_OF_REQUEST,
        "index ["
            + index.id().name()
            + "] is being split and has ["
            + index.shards()
            + "] of ["
            + (split == null ? index.shards() : split.to())
            + "] shards: wait until it has all");
  }

  private static void requireFactor(int shards, int to) {
    if (to <= shards) {
      throw Refusal.badArgument(
          "the number of source shards ["
              + shards
              + "] must be less that the number of target shards ["
              + to
              + "]");
    }
    if (to % shards != 0) {
      throw Refusal.badArgument(
          "the number of source shards [" + shards + "] must be a factor of [" + to + "]");
    }
    if (to > SHARDS_MAX) {
      throw Refusal.badArgument(
          "Failed to parse value ["
              + to
              + "] for setting [index.number_of_shards] must be <= "
              + SHARDS_MAX);
    }
  }

  /// An index that begins with the newest commits of this one would miss what these give away.
  private static void requireNotCopied(ClusterState state, IndexMetadata index) {
    for (IndexMetadata other : state.indices().values()) {
      IndexOrigin origin = other.origin();
      boolean isCopy =
          origin != null
              && origin.snapshot() == null
              && origin.uuid().equals(index.id().uuid())
              && !hasBegun(state, other);
      boolean isItself = origin != null && other.id().equals(index.id()) && !hasBegun(state, other);
      if (isCopy || isItself) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "index ["
                + other.id().name()
                + "] is still being made of another, ["
                + index.id().name()
                + "] can be split when it is there");
      }
    }
  }

  /// Whether each of the shards that begin with those of another index has a blob of its own.
  private static boolean hasBegun(ClusterState state, IndexMetadata index) {
    for (int number = 0; number < index.shardsAtFirst(); number++) {
      if (!UploadMarks.of(state, new ShardId(index.id(), number)).isMarked()) {
        return false;
      }
    }
    return true;
  }

  /// Whether a shard was added to its index, which is there, while that was written to.
  public static boolean isAdded(ClusterState state, ShardId shard) {
    IndexMetadata index = state.indices().get(shard.index().name());
    IndexSplit split = index == null || !index.id().equals(shard.index()) ? null : index.split();
    return split != null && split.part(shard.number()) != null;
  }

  /// Whether a shard is to give some of its documents to the next one.
  public static boolean isNextSource(IndexMetadata index, int number) {
    IndexSplit split = index.split();
    return split != null
        && split.isUnderWay(index.shards())
        && split.nextSource(index.shards()) == number;
  }

  /// The state in which a shard has given some of its documents to a new one, of the same owner;
  /// both go on under the next primary term. Unchanged when the shard has another owner or term by
  /// now, or the new one is there already.
  ///
  /// @param target number of the new shard
  /// @param owner of the source, as who asks believes
  /// @param part how the new shard begins; its term is the one after the source's
  public static ClusterState divided(
      ClusterState state, ShardId source, int target, String owner, IndexSplit.Part part) {
    IndexMetadata index = state.indices().get(source.index().name());
    IndexSplit split = index == null ? null : index.split();
    if (index == null
        || split == null
        || !index.id().equals(source.index())
        || !index.isOpen()
        || index.shards() != target
        || !isNextSource(index, source.number())
        || !state.assignment(source).owner().equals(owner)
        || index.primaryTerms().get(source.number()) + 1 != part.primaryTerm()) {
      return state;
    }
    List<Long> terms = new ArrayList<>(index.primaryTerms());
    terms.set(source.number(), part.primaryTerm());
    terms.add(part.primaryTerm());
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put("index.number_of_shards", Integer.toString(target + 1));
    ClusterState grown = state.withIndex(index.grown(split.with(part), settings, terms));
    return grown.withAssignment(
        new ShardId(index.id(), target), new ShardAssignment(owner, "", new TreeMap<>()));
  }
}
