package dev.holdfast.node.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What may not be done with an index, as the cluster state shows it.
///
/// @param id Elasticsearch's number of this kind of block
/// @param levels the operations that are blocked
record IndexBlock(int id, String description, List<String> levels) {
  private static final List<IndexBlock> BY_SETTING =
      List.of(
          new IndexBlock(5, "index read-only (api)", List.of("write", "metadata_write")),
          new IndexBlock(7, "index read (api)", List.of("read")),
          new IndexBlock(8, "index write (api)", List.of("write")),
          new IndexBlock(9, "index metadata (api)", List.of("metadata_write", "metadata_read")),
          new IndexBlock(
              12, "index read-only / allow delete (api)", List.of("write", "metadata_write")));

  private static final List<String> SETTINGS =
      List.of("read_only", "read", "write", "metadata", "read_only_allow_delete");

  private static final IndexBlock CLOSED =
      new IndexBlock(4, "index closed", List.of("read", "write"));

  static List<IndexBlock> of(IndexMetadata index) {
    List<IndexBlock> blocks = new ArrayList<>();
    if (!index.isOpen()) {
      blocks.add(CLOSED);
    }
    for (int i = 0; i < SETTINGS.size(); i++) {
      if (index.setting("index.blocks." + SETTINGS.get(i), "false").equals("true")) {
        blocks.add(BY_SETTING.get(i));
      }
    }
    return blocks;
  }

  void write(JsonGenerator out) throws IOException {
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
