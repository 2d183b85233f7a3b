package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The cluster's metadata at one version. Immutable.
///
/// @param term of the leader that made it
/// @param version grows by one with each update, never reused
/// @param clusterUuid made once, with the first state
/// @param settings persistent cluster settings, flat
/// @param indices by name
/// @param customs other metadata by kind (`index_templates`, `pipelines`, …): open for later APIs,
///   values immutable
/// @param members nodes of the cluster by ephemeral id
/// @param assignments by index uuid, one a shard; an index without an entry is not assigned yet
/// @param unknown what newer builds added to all that
public record ClusterState(
    long term,
    long version,
    String clusterUuid,
    SortedMap<String, Object> settings,
    SortedMap<String, IndexMetadata> indices,
    SortedMap<String, JsonNode> customs,
    SortedMap<String, Member> members,
    SortedMap<String, List<ShardAssignment>> assignments,
    UnknownStateMembers unknown) {

  /// The custom of settings that end with the cluster's run: an object, flat.
  public static final String TRANSIENT_SETTINGS = "transient_settings";

  public ClusterState {
    settings = FrozenSortedMap.of(settings);
    indices = FrozenSortedMap.of(indices);
    customs = FrozenSortedMap.of(customs);
    members = FrozenSortedMap.of(members);
    assignments = FrozenSortedMap.of(assignments);
    unknown = unknown.isNone() ? unknown : unknown.of(uuids(indices), members.keySet());
  }

  private static Set<String> uuids(SortedMap<String, IndexMetadata> indices) {
    Set<String> uuids = new TreeSet<>();
    indices.values().forEach(index -> uuids.add(index.id().uuid()));
    return uuids;
  }

  /// The state of a cluster that has nothing yet.
  public static ClusterState empty(String clusterUuid) {
    return new ClusterState(
        0,
        0,
        clusterUuid,
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        UnknownStateMembers.NONE);
  }

  /// The version of formats that all members speak ([Formats]); 0 before there is one.
  public int minimumVersion() {
    JsonNode version = customs.get(Formats.CUSTOM);
    return version == null ? 0 : version.asInt();
  }

  /// The same with other indices.
  public ClusterState withIndices(SortedMap<String, IndexMetadata> changed) {
    return new ClusterState(
        term, version, clusterUuid, settings, changed, customs, members, assignments, unknown);
  }

  /// A cluster setting by its flat name: transient ones hide persistent ones.
  ///
  /// @return null when it is not set
  public @Nullable Object setting(String name) {
    JsonNode passing = customs.get(TRANSIENT_SETTINGS);
    JsonNode value = passing == null ? null : passing.get(name);
    return value == null || value.isNull()
        ? settings.get(name)
        : value.isValueNode() ? value.asText() : value;
  }

  /// The flat names of all cluster settings that are set, in their order.
  public List<String> settingNames() {
    NavigableSet<String> names = new TreeSet<>(settings.keySet());
    JsonNode passing = customs.get(TRANSIENT_SETTINGS);
    if (passing != null) {
      passing.fieldNames().forEachRemaining(names::add);
    }
    return List.copyOf(names);
  }

  /// The same content under another term and version.
  public ClusterState at(long newTerm, long newVersion) {
    return new ClusterState(
        newTerm,
        newVersion,
        clusterUuid,
        settings,
        indices,
        customs,
        members,
        assignments,
        unknown);
  }

  public ClusterState withIndex(IndexMetadata index) {
    return withChanged(List.of(index));
  }

  /// With those in place of what had their names. All of them at once: each state that has other
  /// indices than the one before copies the names of all, which for each of thousands takes long.
  public ClusterState withChanged(Collection<IndexMetadata> some) {
    if (some.isEmpty()) {
      return this;
    }
    TreeMap<String, IndexMetadata> changed = new TreeMap<>(indices);
    some.forEach(index -> changed.put(index.id().name(), index));
    return withIndices(FrozenSortedMap.owning(changed));
  }

  /// Without an index, whose blobs may go from now on ([DeletedIndices]).
  public ClusterState withoutIndex(String name) {
    SortedMap<String, IndexMetadata> changed = new TreeMap<>(indices);
    IndexMetadata removed = changed.remove(name);
    SortedMap<String, List<ShardAssignment>> left = new TreeMap<>(assignments);
    if (removed == null) {
      return this;
    }
    left.remove(removed.id().uuid());
    ClusterState without =
        new ClusterState(
            term,
            version,
            clusterUuid,
            settings,
            changed,
            DeletedIndices.after(customs, removed.id(), version),
            members,
            left,
            unknown);
    return UploadMarks.withoutMarks(without, removed.id().uuid());
  }

  public ClusterState withSettings(SortedMap<String, Object> changed) {
    return new ClusterState(
        term, version, clusterUuid, changed, indices, customs, members, assignments, unknown);
  }

  /// The same with other customs.
  ClusterState withCustoms(SortedMap<String, JsonNode> changed) {
    return new ClusterState(
        term, version, clusterUuid, settings, indices, changed, members, assignments, unknown);
  }

  public ClusterState withCustom(String kind, JsonNode value) {
    SortedMap<String, JsonNode> changed = new TreeMap<>(customs);
    changed.put(kind, value);
    return new ClusterState(
        term, version, clusterUuid, settings, indices, changed, members, assignments, unknown);
  }

  public ClusterState withoutCustom(String kind) {
    if (!customs.containsKey(kind)) {
      return this;
    }
    SortedMap<String, JsonNode> changed = new TreeMap<>(customs);
    changed.remove(kind);
    return new ClusterState(
        term, version, clusterUuid, settings, indices, changed, members, assignments, unknown);
  }

  public ClusterState withMember(Member member) {
    SortedMap<String, Member> changed = new TreeMap<>(members);
    changed.put(member.id(), member);
    return new ClusterState(
        term, version, clusterUuid, settings, indices, customs, changed, assignments, unknown);
  }

  public ClusterState withoutMember(String id) {
    SortedMap<String, Member> changed = new TreeMap<>(members);
    changed.remove(id);
    return new ClusterState(
        term, version, clusterUuid, settings, indices, customs, changed, assignments, unknown);
  }

  /// Where a shard lives; [ShardAssignment#NONE] when it was not assigned yet.
  public ShardAssignment assignment(ShardId shard) {
    List<ShardAssignment> ofIndex = assignments.get(shard.index().uuid());
    return ofIndex == null || shard.number() >= ofIndex.size()
        ? ShardAssignment.NONE
        : ofIndex.get(shard.number());
  }

  /// The term of a shard's newest owner; 0 when there is no such shard.
  public long primaryTerm(ShardId shard) {
    IndexMetadata index = indexOf(shard);
    return index == null ? 0 : index.primaryTerms().get(shard.number());
  }

  /// The index that has such a shard, open or not; null when there is none.
  private @Nullable IndexMetadata indexOf(ShardId shard) {
    IndexMetadata index = indices.get(shard.index().name());
    boolean isThere =
        index != null && index.id().equals(shard.index()) && shard.number() < index.shards();
    return isThere ? index : null;
  }

  /// @throws Refusal when there is no such shard, its index is closed, or it lacks an object
  public void requireOpen(ShardId shard) {
    Refusal why = whyNotOpen(shard);
    if (why != null) {
      throw why;
    }
  }

  /// Why nobody need wait for a shard: there is none, its index is closed, or it lacks an object of
  /// the store; null when it is open or about to be.
  public @Nullable Refusal whyNotOpen(ShardId shard) {
    IndexMetadata index = indexOf(shard);
    if (index == null) {
      return new Refusal(ErrorType.SHARD_NOT_FOUND, "no such shard")
          .with("index_uuid", shard.index().uuid())
          .with("shard", Integer.toString(shard.number()))
          .with("index", shard.index().name());
    }
    if (!index.isOpen()) {
      return new Refusal(ErrorType.INDEX_CLOSED, "closed")
          .with("index_uuid", shard.index().uuid())
          .with("index", shard.index().name());
    }
    UploadMark mark = UploadMarks.of(this, shard);
    if (mark.isShort()) {
      return new Refusal(
              CorruptObjectException.isMessage(mark.why())
                  ? ErrorType.CORRUPT_INDEX
                  : ErrorType.UNAVAILABLE_SHARDS,
              shard
                  + " primary shard is not active: an object of it is missing from the store or"
                  + " damaged ["
                  + mark.lost()
                  + "]")
          .with("index", shard.index().name())
          .with("shard", Integer.toString(shard.number()));
    }
    return null;
  }

  /// @param shard of an index of this state
  public ClusterState withAssignment(ShardId shard, ShardAssignment assignment) {
    IndexMetadata index = indices.get(shard.index().name());
    if (index == null || !index.id().equals(shard.index())) {
      return this;
    }
    List<ShardAssignment> ofIndex = new ArrayList<>(index.shards());
    for (int number = 0; number < index.shards(); number++) {
      ofIndex.add(
          number == shard.number() ? assignment : assignment(new ShardId(index.id(), number)));
    }
    SortedMap<String, List<ShardAssignment>> changed = new TreeMap<>(assignments);
    changed.put(index.id().uuid(), List.copyOf(ofIndex));
    return new ClusterState(
        term, version, clusterUuid, settings, indices, customs, members, changed, unknown);
  }

  /// Many at once; those of indices that are not there change nothing.
  public ClusterState withAssignments(Map<ShardId, ShardAssignment> assigned) {
    if (assigned.isEmpty()) {
      return this;
    }
    SortedMap<String, List<ShardAssignment>> changed = new TreeMap<>(assignments);
    assigned.forEach((shard, assignment) -> {
      IndexMetadata index = indices.get(shard.index().name());
      if (index != null && index.id().equals(shard.index())) {
        List<ShardAssignment> ofIndex =
            new ArrayList<>(changed.getOrDefault(index.id().uuid(), List.of()));
        while (ofIndex.size() < index.shards()) {
          ofIndex.add(ShardAssignment.NONE);
        }
        ofIndex.set(shard.number(), assignment);
        changed.put(index.id().uuid(), List.copyOf(ofIndex));
      }
    });
    return new ClusterState(
        term, version, clusterUuid, settings, indices, customs, members, changed, unknown);
  }

  /// Whether a shard's index and where it lives are what they were in a state before, as far as
  /// identity shows: then there is nothing to follow.
  ///
  /// @param before null for none
  @SuppressWarnings("ReferenceEquality") // what a change leaves as it was is the same object
  public boolean hasSame(IndexMetadata index, @Nullable ClusterState before) {
    return before != null
        && before.indices.get(index.id().name()) == index
        && before.assignments.get(index.id().uuid()) == assignments.get(index.id().uuid());
  }
}
