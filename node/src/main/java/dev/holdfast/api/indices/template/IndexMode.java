package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import java.util.SortedMap;

/// What the mode of a new index (`index.mode`) makes of it.
public final class IndexMode {
  private IndexMode() {}

  /// @param settings changed
  /// @return the mapping that the index gets
  /// @throws dev.holdfast.world.Refusal for what an index of that mode cannot be
  public static ObjectNode prepared(
      MappingFactory mappings, ObjectNode mapping, SortedMap<String, Object> settings) {
    if (TimeSeries.is(settings)) {
      return SeriesMode.prepared(mappings, mapping, settings);
    }
    SeriesMode.check(settings);
    return LogsMode.is(settings) ? LogsMode.prepared(mappings, mapping, settings) : mapping;
  }
}
