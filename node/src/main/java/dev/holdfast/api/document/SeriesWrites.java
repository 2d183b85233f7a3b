package dev.holdfast.api.document;

import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.series.SeriesReader;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which index a document of a time series belongs to, by its time, and which id it has, by its
/// dimensions and its time.
final class SeriesWrites {
  /// Of how many indices the readers are kept.
  private static final int READERS_MAX = 64;

  private final Metadata metadata;
  private final MappingFactory mappings;

  /// By the uuid of their index; the one used longest ago first.
  private final Map<String, Known> readers = new LinkedHashMap<>(16, 0.75f, true);

  SeriesWrites(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.mappings = mappings;
  }

  /// A reader, as long as its index is as it was.
  private record Known(long mappingVersion, long settingsVersion, SeriesReader reader) {}

  /// Where a document goes, and its id: that of its series and time.
  ///
  /// @param name that the write is sent to, without date math
  /// @param index that the name leads to
  /// @param templates the dynamic templates that new fields must take, by their paths
  /// @throws Refusal for a document or an id that its index does not take
  NamedDocument named(
      String name,
      IndexMetadata index,
      Kind kind,
      IngestDraft draft,
      Map<String, String> templates) {
    return switch (kind) {
      case INDEX, CREATE -> {
        IndexMetadata held = held(metadata.current(), name, index, draft);
        IndexBlocks.requireWritable(held);
        yield new NamedDocument(held, id(held, draft, templates), false);
      }
      case UPDATE -> throw unsupported(index, "update");
      case DELETE -> new NamedDocument(index, String.valueOf(draft.id()), false);
    };
  }

  /// The index of a data stream that holds the time of a document, the newest first; for other
  /// names the index that they lead to.
  ///
  /// @param name that the write is sent to
  /// @param index that the name leads to
  /// @throws Refusal `illegal_argument_exception` when none holds it
  private IndexMetadata held(
      ClusterState state, String name, IndexMetadata index, IngestDraft draft) {
    DataStream stream = DataStreams.owning(state, index.id().name());
    if (stream == null
        || index.id().name().equals(name)
        || !stream.indices().contains(index.id().name())
        || !TimeSeries.is(index.settings())) {
      return index;
    }
    long millis = reader(index).millis(draft.bytes(), draft.offset(), draft.length());
    List<String> ranges = new ArrayList<>();
    for (String each : stream.indices().reversed()) {
      IndexMetadata backing = state.indices().get(each);
      if (backing == null || !TimeSeries.is(backing.settings())) {
        continue;
      }
      TimeSeries bounds = TimeSeries.of(backing.settings());
      if (bounds.holds(millis)) {
        return backing;
      }
      ranges.addFirst(
          "["
              + DateFormat.DEFAULT.format(bounds.startMillis(), null)
              + ","
              + DateFormat.DEFAULT.format(bounds.endMillis(), null)
              + "]");
    }
    throw new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "the document timestamp ["
            + DateFormat.DEFAULT.format(millis, null)
            + "] is outside of ranges of currently writable indices ["
            + String.join("", ranges)
            + "]");
  }

  /// The id of a document.
  ///
  /// @param index of time series
  /// @param templates the dynamic templates that new fields must take, by their paths
  /// @throws Refusal when it has none there, or was given another
  private String id(IndexMetadata index, IngestDraft draft, Map<String, String> templates) {
    requireUnrouted(index, draft.routing());
    String id = reader(index).read(draft.bytes(), draft.offset(), draft.length(), templates).text();
    String given = draft.id();
    if (given != null && !given.equals(id)) {
      String why =
          "_id must be unset or set to ["
              + id
              + "] but was ["
              + given
              + "] because ["
              + index.id().name()
              + "] is in time_series mode";
      throw new Refusal(
          ErrorType.DOCUMENT_PARSING, "failed to parse: " + why, Refusal.badArgument(why));
    }
    return id;
  }

  private static void requireUnrouted(IndexMetadata index, @Nullable String routing) {
    if (routing != null) {
      throw unsupported(index, "specifying routing");
    }
  }

  /// What an index of time series does not do.
  static Refusal unsupported(IndexMetadata index, String what) {
    return Refusal.badArgument(
        what
            + " is not supported because the destination index ["
            + index.id().name()
            + "] is in time_series mode");
  }

  private SeriesReader reader(IndexMetadata index) {
    synchronized (readers) {
      Known known = readers.get(index.id().uuid());
      if (known != null
          && known.mappingVersion == index.mappingVersion()
          && known.settingsVersion == index.settingsVersion()) {
        return known.reader;
      }
    }
    SeriesReader reader =
        new SeriesReader(
            mappings.create(index.mapping(), index.settings()), TimeSeries.of(index.settings()));
    synchronized (readers) {
      readers.put(
          index.id().uuid(), new Known(index.mappingVersion(), index.settingsVersion(), reader));
      if (readers.size() > READERS_MAX) {
        readers.remove(readers.keySet().iterator().next());
      }
    }
    return reader;
  }
}
