package dev.holdfast.indexing.write;

import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.SlowThreshold;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.world.trace.Cause;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The indexing slow log of each index: `index.indexing.slowlog.threshold.index.*`. Documents are
/// written batch by batch here, so a line is of a batch: how long it took, and its first document.
final class IndexingSlowLog {
  private static final Logger LOG = LoggerFactory.getLogger("index.indexing.slowlog.index");
  private static final String THRESHOLD = "index.indexing.slowlog.threshold.index";

  /// How many characters of the source are shown; `false` for none, `true` for all.
  private static final String SHOWN = "index.indexing.slowlog.source";

  private static final String SHOWN_BY_DEFAULT = "1000";

  /// UTF-8 bytes that hold so many characters at least.
  private static final int CHARACTER_BYTES = 3;

  private IndexingSlowLog() {}

  /// A batch was written.
  ///
  /// @param rows that were applied
  static void written(ShardId shard, Metadata metadata, List<Row> rows, long nanos) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    if (rows.isEmpty() || index == null) {
      return;
    }
    Level level = SlowThreshold.reached(index, THRESHOLD, nanos);
    if (level != null) {
      Row first = rows.getFirst();
      Cause cause = Cause.current();
      LOG.atLevel(level)
          .addKeyValue("event.duration", nanos)
          .addKeyValue("elasticsearch.slowlog.id", cause.opaqueId())
          .addKeyValue("elasticsearch.slowlog.took_millis", nanos / 1_000_000)
          .addKeyValue("elasticsearch.slowlog.message", shard.toString())
          .log(
              "slow index [shard={}, took_millis={}, documents={}, id={}, routing={}, x_opaque_id={},"
                  + " trace_id={}, source={}]",
              shard,
              nanos / 1_000_000,
              rows.size(),
              first.id,
              first.source == null || first.source.routing() == null ? "" : first.source.routing(),
              Objects.requireNonNullElse(cause.opaqueId(), ""),
              Objects.requireNonNullElse(cause.traceId(), ""),
              first.source == null
                  ? ""
                  : shown(first.source, index.setting(SHOWN, SHOWN_BY_DEFAULT)));
    }
  }

  private static String shown(DocumentSource source, String setting) {
    int most =
        switch (setting) {
          case "true" -> Integer.MAX_VALUE;
          case "false" -> 0;
          default -> setting.matches("[0-9]{1,9}") ? Integer.parseInt(setting) : 0;
        };
    int bytes = (int) Math.min(source.length(), (long) most * CHARACTER_BYTES);
    String text = new String(source.bytes(), source.offset(), bytes, StandardCharsets.UTF_8);
    return text.length() <= most ? text : text.substring(0, most);
  }
}
