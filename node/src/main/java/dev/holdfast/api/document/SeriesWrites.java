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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        ClusterState state = metadata.current();
        DataStream stream = stream(state, name, index);
        SeriesReader.Scanned scanned = stream == null ? null : scan(index, draft);
        IndexMetadata held =
            scanned == null ? index : held(state, Objects.requireNonNull(stream), scanned.millis());
        IndexBlocks.requireWritable(held);
        requireUnrouted(held, draft.routing());
        if (scanned == null || !isSame(held, index)) {
          scanned = scan(held, draft);
        }
        yield new NamedDocument(held, id(held, draft, scanned.id(templates).text()), false);
      }
      case UPDATE -> throw unsupported(index, "update");
      case DELETE -> new NamedDocument(index, String.valueOf(draft.id()), false);
    };
  }

  /// Whether what was read for the one is true of the other.
  private static boolean isSame(IndexMetadata one, IndexMetadata other) {
    return one.id().equals(other.id())
        && one.mappingVersion() == other.mappingVersion()
        && one.settingsVersion() == other.settingsVersion();
  }

  private SeriesReader.Scanned scan(IndexMetadata index, IngestDraft draft) {
    return reader(index).scan(draft.bytes(), draft.offset(), draft.length());
  }

  /// The data stream that a document is sent to by name; null when it is sent to an index.
  ///
  /// @param index that the name leads to
  private static @Nullable DataStream stream(ClusterState state, String name, IndexMetadata index) {
    DataStream stream = DataStreams.owning(state, index.id().name());
    return stream == null
            || index.id().name().equals(name)
            || !stream.indices().contains(index.id().name())
            || !TimeSeries.is(index.settings())
        ? null
        : stream;
  }

  /// The index of a data stream that holds a time, the newest first.
  ///
  /// @throws Refusal `illegal_argument_exception` when none does
  private IndexMetadata held(ClusterState state, DataStream stream, long millis) {
    return series(state, stream.indices().reversed())
        .filter(backing -> bounds(backing).holds(millis))
        .findFirst()
        .orElseThrow(() ->
            new Refusal(
                ErrorType.ILLEGAL_ARGUMENT,
                "the document timestamp ["
                    + DateFormat.DEFAULT.format(millis, null)
                    + "] is outside of ranges of currently writable indices ["
                    + series(state, stream.indices())
                        .map(backing -> shown(bounds(backing)))
                        .collect(Collectors.joining())
                    + "]"));
  }

  private static Stream<IndexMetadata> series(ClusterState state, List<String> names) {
    return names.stream()
        .flatMap(name -> Optional.ofNullable(state.indices().get(name)).stream())
        .filter(backing -> TimeSeries.is(backing.settings()));
  }

  private static String shown(TimeSeries bounds) {
    return "["
        + DateFormat.DEFAULT.format(bounds.startMillis(), null)
        + ","
        + DateFormat.DEFAULT.format(bounds.endMillis(), null)
        + "]";
  }

  /// The id of a document.
  ///
  /// @throws Refusal when it was given another
  private static String id(IndexMetadata index, IngestDraft draft, String id) {
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

  private TimeSeries bounds(IndexMetadata index) {
    SeriesReader known = known(index);
    return known == null ? TimeSeries.of(index.settings()) : known.bounds();
  }

  private @Nullable SeriesReader known(IndexMetadata index) {
    synchronized (readers) {
      Known known = readers.get(index.id().uuid());
      return known != null
              && known.mappingVersion == index.mappingVersion()
              && known.settingsVersion == index.settingsVersion()
          ? known.reader
          : null;
    }
  }

  private SeriesReader reader(IndexMetadata index) {
    SeriesReader known = known(index);
    if (known != null) {
      return known;
    }
    SeriesReader reader = new SeriesReader(mappings.of(index), TimeSeries.of(index.settings()));
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
