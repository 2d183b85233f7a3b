package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
    @Nullable IndexOrigin origin) {

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
        null);
  }

  public IndexMetadata withSettings(SortedMap<String, Object> changed) {
    return new IndexMetadata(
        id,
        shards,
        changed,
        settingsVersion + 1,
        mapping,
        mappingVersion,
        aliases,
        isOpen,
        primaryTerms,
        origin);
  }

  public IndexMetadata withMapping(ObjectNode changed) {
    return new IndexMetadata(
        id,
        shards,
        settings,
        settingsVersion,
        changed,
        mappingVersion + 1,
        aliases,
        isOpen,
        primaryTerms,
        origin);
  }

  public IndexMetadata withAliases(SortedMap<String, ObjectNode> changed) {
    return new IndexMetadata(
        id,
        shards,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        changed,
        isOpen,
        primaryTerms,
        origin);
  }

  public IndexMetadata withOpen(boolean open) {
    return new IndexMetadata(
        id,
        shards,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        aliases,
        open,
        primaryTerms,
        origin);
  }

  public IndexMetadata withPrimaryTerms(List<Long> terms) {
    return new IndexMetadata(
        id,
        shards,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        aliases,
        isOpen,
        List.copyOf(terms),
        origin);
  }

  /// The same, beginning with what another index has.
  public IndexMetadata withOrigin(IndexOrigin from, List<Long> terms) {
    return new IndexMetadata(
        id,
        shards,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        aliases,
        isOpen,
        List.copyOf(terms),
        from);
  }

  /// A setting's value as text, or `whenAbsent`.
  public String setting(String name, String whenAbsent) {
    Object value = settings.get(name);
    return value == null ? whenAbsent : value.toString();
  }
}
