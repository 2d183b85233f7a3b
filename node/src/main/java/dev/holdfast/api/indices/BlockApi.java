package dev.holdfast.api.indices;

import dev.holdfast.api.indices.resolve.DestructiveExpressions;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `PUT /{index}/_block/{block}` and `DELETE`: forbids writes, reads or changes, or allows them
/// again.
public final class BlockApi {
  private static final List<String> BLOCKS = List.of("metadata", "read", "read_only", "write");

  private final Metadata metadata;

  public BlockApi(Metadata metadata) {
    this.metadata = metadata;
  }

  public Api add() {
    return request -> change(request, true);
  }

  public Api remove() {
    return request -> change(request, false);
  }

  private Answer change(ApiRequest request, boolean isAdded) throws InterruptedException {
    String block = request.required("block");
    if (!BLOCKS.contains(block)) {
      if (block.equals("read_only_allow_delete")) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION,
            "Validation Failed: 1: read_only_allow_delete block is for internal use only;");
      }
      throw Refusal.badArgument("No block found with name " + block);
    }
    DestructiveExpressions.requireNames(metadata.current(), request.required("index"));
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.required("index"),
            IndexExpression.Options.READ.of(request));
    if (block.equals("read") || block.equals("write")) {
      indices.forEach(IndexBlocks::requireChangeable);
    }
    String setting = "index.blocks." + block;
    metadata.update(
        (isAdded ? "add" : "remove") + "-block [" + block + "]",
        state -> {
          List<IndexMetadata> changed = new ArrayList<>();
          for (IndexMetadata index : indices) {
            IndexMetadata now = state.indices().get(index.id().name());
            if (now != null && now.id().equals(index.id())) {
              SortedMap<String, Object> settings = new TreeMap<>(now.settings());
              if (isAdded) {
                settings.put(setting, "true");
              } else {
                settings.remove(setting);
              }
              changed.add(now.withSettings(settings));
            }
          }
          return state.withChanged(changed);
        });
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeBooleanField("acknowledged", true);
      if (isAdded) {
        out.writeBooleanField("shards_acknowledged", !indices.isEmpty());
      }
      out.writeArrayFieldStart("indices");
      for (IndexMetadata index : indices) {
        out.writeStartObject();
        out.writeStringField("name", index.id().name());
        out.writeBooleanField(isAdded ? "blocked" : "unblocked", true);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }
}
