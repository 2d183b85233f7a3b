package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// All that the cluster state holds of one index. Immutable: the JSON members are never changed
/// after construction.
///
/// @param settings flat names and values as strings or lists of strings, all beginning with
///   `index.`: what users set and the server added (`index.uuid`, `index.creation_date`,
///   `index.provided_name`, `index.version.created`, …)
/// @param settingsVersion grows with each change of the settings
/// @param mapping as `GET _mapping` shows it: `{"properties": …, "dynamic": …}`; empty object for
///   none
/// @param mappingVersion grows with each change of the mapping
/// @param aliases name to its options (`filter`, `routing`, `is_write_index`, …)
/// @param isOpen false after `_close`
/// @param primaryTerms one a shard; grows each time the shard gets a new owner; before the first it
///   is 0, or that of the origin
/// @param origin what the shards begin with; null for nothing
/// @param customs other metadata by kind (`lifecycle`, `rollover`): open for later features
/// @param split how it got, or gets, more shards than it was made with; null when it has those
public record IndexMetadata(
    IndexId id,
    int shards,
    SortedMap<String, Object> settings,
    long settingsVersion,
    ObjectNode mapping,
    long mappingVersion,
    SortedMap<String, ObjectNode> aliases,
    boolean isOpen,
    List<Long> primaryTerms,
    @Nullable IndexOrigin origin,
    ObjectNode customs,
    @Nullable IndexSplit split) {

  /// An index with the shards that it was made with.
  public IndexMetadata(
      IndexId id,
      int shards,
      SortedMap<String, Object> settings,
      long settingsVersion,
      ObjectNode mapping,
      long mappingVersion,
      SortedMap<String, ObjectNode> aliases,
      boolean isOpen,
      List<Long> primaryTerms,
      @Nullable IndexOrigin origin,
      ObjectNode customs) {
    this(
        id,
        shards,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        aliases,
        isOpen,
        primaryTerms,
        origin,
        customs,
        null);
  }

  /// An index that begins empty.
  public IndexMetadata(
      IndexId id,
      int shards,
      SortedMap<String, Object> settings,
      long settingsVersion,
      ObjectNode mapping,
      long mappingVersion,
      SortedMap<String, ObjectNode> aliases,
      boolean isOpen,
      List<Long> primaryTerms) {
    this(
        id,
        shards,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        aliases,
        isOpen,
        primaryTerms,
        null,
        Json.object());
  }

  public IndexMetadata withSettings(SortedMap<String, Object> changed) {
    Draft draft = new Draft(this);
    draft.settings = changed;
    draft.settingsVersion++;
    return draft.finished();
  }

  public IndexMetadata withMapping(ObjectNode changed) {
    Draft draft = new Draft(this);
    draft.mapping = changed;
    draft.mappingVersion++;
    return draft.finished();
  }

  public IndexMetadata withAliases(SortedMap<String, ObjectNode> changed) {
    Draft draft = new Draft(this);
    draft.aliases = changed;
    return draft.finished();
  }

  public IndexMetadata withOpen(boolean open) {
    Draft draft = new Draft(this);
    draft.isOpen = open;
    return draft.finished();
  }

  public IndexMetadata withPrimaryTerms(List<Long> terms) {
    Draft draft = new Draft(this);
    draft.primaryTerms = List.copyOf(terms);
    return draft.finished();
  }

  /// The same, beginning with what another index has.
  public IndexMetadata withOrigin(IndexOrigin from, List<Long> terms) {
    Draft draft = new Draft(this);
    draft.primaryTerms = List.copyOf(terms);
    draft.origin = from;
    return draft.finished();
  }

  /// The same with metadata of another kind.
  ///
  /// @param value null to take it away
  public IndexMetadata withCustom(String kind, @Nullable ObjectNode value) {
    Draft draft = new Draft(this);
    draft.customs = customs.deepCopy();
    if (value == null) {
      draft.customs.remove(kind);
    } else {
      draft.customs.set(kind, value);
    }
    return draft.finished();
  }

  /// The same with a split begun, or taken over from where the index comes from.
  public IndexMetadata withSplit(@Nullable IndexSplit begun) {
    Draft draft = new Draft(this);
    draft.split = begun;
    return draft.finished();
  }

  /// The same with one more shard.
  ///
  /// @param changed the settings with that number of shards
  /// @param terms of all shards
  IndexMetadata grown(IndexSplit after, SortedMap<String, Object> changed, List<Long> terms) {
    Draft draft = new Draft(this);
    draft.shards++;
    draft.settings = changed;
    draft.settingsVersion++;
    draft.primaryTerms = List.copyOf(terms);
    draft.split = after;
    return draft.finished();
  }

  /// Which of the shards a document belongs to.
  public ShardLayout layout() {
    return split == null
        ? ShardLayout.of(shards)
        : new ShardLayout(shards, split.from(), split.to());
  }

  /// How many shards the index is to have: more than it has while it is being split.
  public int shardsWanted() {
    return split == null ? shards : Math.max(shards, split.to());
  }

  /// How many shards the index was made with.
  public int shardsAtFirst() {
    return split == null ? shards : split.base();
  }

  /// Since when a shard has the documents that it has now: [IndexSplit#dividedSince(int)].
  public long dividedSince(int number) {
    return split == null ? IndexSplit.NEVER : split.dividedSince(number);
  }

  /// The same as of a commit of that primary term.
  public long dividedSince(int number, long primaryTerm) {
    return split == null ? IndexSplit.NEVER : split.dividedSince(number, primaryTerm);
  }

  /// A setting's value as text, or `whenAbsent`.
  public String setting(String name, String whenAbsent) {
    Object value = settings.get(name);
    return value == null ? whenAbsent : value.toString();
  }

  /// All that may change in the life of an index.
  private static final class Draft {
    private final IndexMetadata of;
    private int shards;
    private SortedMap<String, Object> settings;
    private long settingsVersion;
    private ObjectNode mapping;
    private long mappingVersion;
    private SortedMap<String, ObjectNode> aliases;
    private boolean isOpen;
    private List<Long> primaryTerms;
    private @Nullable IndexOrigin origin;
    private ObjectNode customs;
    private @Nullable IndexSplit split;

    private Draft(IndexMetadata of) {
      this.of = of;
      shards = of.shards;
      settings = of.settings;
      settingsVersion = of.settingsVersion;
      mapping = of.mapping;
      mappingVersion = of.mappingVersion;
      aliases = of.aliases;
      isOpen = of.isOpen;
      primaryTerms = of.primaryTerms;
      origin = of.origin;
      customs = of.customs;
      split = of.split;
    }

    private IndexMetadata finished() {
      return new IndexMetadata(
          of.id,
          shards,
          settings,
          settingsVersion,
          mapping,
          mappingVersion,
          aliases,
          isOpen,
          primaryTerms,
          origin,
          customs,
          split);
    }
  }
}
