package dev.holdfast.api.search.caps;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.http.RequestMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// What the fields of indices can do, found once for all that have one mapping: of thousands of
/// indices most were made from the same templates.
///
/// @param caps by path
/// @param mapped the fields among them that documents may have values of
record MappingCaps(SortedMap<String, FieldCap> caps, List<String> mapped) {
  /// Memory for what one field can do.
  private static final int CAP_BYTES = 200;

  /// Settings that each index has of its own, and that say nothing of fields.
  private static final Set<String> OWN_SETTINGS =
      Set.of(
          "index.creation_date",
          "index.provided_name",
          "index.time_series.end_time",
          "index.time_series.start_time",
          "index.uuid");

  /// Asks for the memory of one index's, or of all that have the same.
  static void reserve(int fields) {
    RequestMemory.add((long) CAP_BYTES * fields);
  }

  /// What decides what fields can do.
  private record Key(ObjectNode mapping, SortedMap<String, Object> settings) {
    static Key of(IndexMetadata index) {
      SortedMap<String, Object> settings = new TreeMap<>(index.settings());
      settings.keySet().removeAll(OWN_SETTINGS);
      return new Key(index.mapping(), settings);
    }
  }

  /// Those of one request.
  static final class Known {
    private final Function<IndexMetadata, MappingCaps> reader;
    private final Map<Key, MappingCaps> known = new HashMap<>();

    /// @param reader makes the mapping of an index, which takes long and much memory
    Known(Function<IndexMetadata, MappingCaps> reader) {
      this.reader = reader;
    }

    MappingCaps of(IndexMetadata index) {
      return known.computeIfAbsent(
          Key.of(index),
          _ -> {
            MappingCaps read = reader.apply(index);
            reserve(read.caps.size());
            return read;
          });
    }
  }
}
