package dev.holdfast.api.indices.resolve;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What may not be done with an index, and the refusals that follow.
///
/// @param id Elasticsearch's number of this kind of block
/// @param levels the operations that are blocked
public record IndexBlocks(int id, String status, String description, List<String> levels) {
  private static final List<IndexBlocks> BY_SETTING =
      List.of(
          new IndexBlocks(
              5, "FORBIDDEN", "index read-only (api)", List.of("write", "metadata_write")),
          new IndexBlocks(7, "FORBIDDEN", "index read (api)", List.of("read")),
          new IndexBlocks(8, "FORBIDDEN", "index write (api)", List.of("write")),
          new IndexBlocks(
              9, "FORBIDDEN", "index metadata (api)", List.of("metadata_write", "metadata_read")),
          new IndexBlocks(
              12,
              "TOO_MANY_REQUESTS",
              "disk usage exceeded flood-stage watermark, index has read-only-allow-delete block;"
                  + " for more information, see https://www.elastic.co/docs",
              List.of("write")));

  private static final List<String> SETTINGS =
      List.of("read_only", "read", "write", "metadata", "read_only_allow_delete");

  private static final IndexBlocks CLOSED =
      new IndexBlocks(4, "FORBIDDEN", "index closed", List.of("read", "write"));

  public static List<IndexBlocks> of(IndexMetadata index) {
    List<IndexBlocks> blocks = bySetting(index);
    if (!index.isOpen()) {
      blocks.addFirst(CLOSED);
    }
    return blocks;
  }

  private static List<IndexBlocks> bySetting(IndexMetadata index) {
    List<IndexBlocks> blocks = new ArrayList<>();
    for (int i = 0; i < SETTINGS.size(); i++) {
      if (index.setting("index.blocks." + SETTINGS.get(i), "false").equals("true")) {
        blocks.add(BY_SETTING.get(i));
      }
    }
    return blocks;
  }

  /// Searches, counts, reads of documents.
  public static void requireReadable(IndexMetadata index) {
    require(index, "read");
  }

  /// Writes of documents.
  public static void requireWritable(IndexMetadata index) {
    require(index, "write");
  }

  /// Changes of mappings, settings, aliases; opening and closing, merging, clearing caches.
  public static void requireChangeable(IndexMetadata index) {
    require(index, "metadata_write");
  }

  /// The refusal of an update in a closed index, which other writes call `index_closed_exception`.
  public static Refusal closed(String index) {
    return new Refusal(
        ErrorType.CLUSTER_BLOCK,
        "index ["
            + index
            + "] blocked by: ["
            + CLOSED.status
            + "/"
            + CLOSED.id
            + "/"
            + CLOSED.description
            + "];");
  }

  /// Deletion, which `read_only_allow_delete` does not hinder.
  public static void requireDeletable(IndexMetadata index) {
    require(index, "metadata_write");
  }

  /// Reading mappings, settings, aliases.
  public static void requireShowable(IndexMetadata index) {
    require(index, "metadata_read");
  }

  /// The same of all of them.
  public static List<IndexMetadata> showable(List<IndexMetadata> indices) {
    indices.forEach(IndexBlocks::requireShowable);
    return indices;
  }

  /// Searches that tell of what indices hold without asking their shards.
  public static List<IndexMetadata> readable(List<IndexMetadata> indices) {
    indices.forEach(IndexBlocks::requireReadable);
    return indices;
  }

  /// Merging and clearing caches, which count as changes.
  public static List<IndexMetadata> changeable(List<IndexMetadata> indices) {
    indices.forEach(IndexBlocks::requireChangeable);
    return indices;
  }

  private static void require(IndexMetadata index, String level) {
    refuse(index, bySetting(index).stream().filter(block -> block.levels.contains(level)).toList());
  }

  private static void refuse(IndexMetadata index, List<IndexBlocks> blocks) {
    if (blocks.isEmpty()) {
      return;
    }
    String reason = "index [" + index.id().name() + "] blocked by: " + described(blocks);
    boolean isTooMany = blocks.stream().allMatch(block -> block.id == 12);
    throw new Refusal(isTooMany ? ErrorType.CLUSTER_BLOCK_FOR_NOW : ErrorType.CLUSTER_BLOCK, reason)
        .with("index_uuid", index.id().uuid())
        .with("index", index.id().name());
  }

  static String described(List<IndexBlocks> blocks) {
    StringBuilder text = new StringBuilder();
    for (IndexBlocks block : blocks) {
      text.append('[')
          .append(block.status)
          .append('/')
          .append(block.id)
          .append('/')
          .append(block.description)
          .append("];");
    }
    return text.toString();
  }

  public void write(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart(Integer.toString(id));
    out.writeStringField("description", description);
    out.writeBooleanField("retryable", false);
    out.writeArrayFieldStart("levels");
    for (String level : levels) {
      out.writeString(level);
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
