package dev.holdfast.node.api.index;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// `_clone`, `_split`, `_shrink`: an index with the documents of another and as many, more or fewer
/// shards. The documents are read and written again, with their versions.
public final class ResizeApi {
  private static final int ROUTING_SHARDS_MAX = 1024;

  /// What is never copied from the source.
  private static final List<String> OWN =
      List.of(
          "index.uuid",
          "index.creation_date",
          "index.provided_name",
          "index.version.created",
          "index.number_of_shards",
          "index.number_of_routing_shards");

  private final Metadata metadata;
  private final IndexCreation creation;
  private final IndexingShards indexing;
  private final Copying copying;

  public ResizeApi(
      Metadata metadata, IndexCreation creation, IndexingShards indexing, Copying copying) {
    this.metadata = metadata;
    this.creation = creation;
    this.indexing = indexing;
    this.copying = copying;
  }

  /// Writes all documents of an index into another.
  @FunctionalInterface
  public interface Copying {
    void copy(IndexMetadata from, IndexMetadata to) throws Exception;
  }

  /// What is done with the shards.
  public enum Kind {
    CLONE,
    SPLIT,
    SHRINK
  }

  public Api of(Kind kind) {
    return request -> resize(kind, request);
  }

  private Answer resize(Kind kind, ApiRequest request) throws Exception {
    IndexMetadata source =
        IndexExpression.one(metadata.current(), request.required("index"), false);
    JsonObject body = JsonObject.of("resize", request.body().object());
    SortedMap<String, Object> given = new TreeMap<>();
    JsonObject settings = body.object("settings");
    if (settings != null) {
      given.putAll(IndexSettings.read(settings.node()));
    }
    JsonObject aliases = body.object("aliases");
    int max = body.integer("max_primary_shard_size", 0);
    body.done();
    if (max != 0) {
      throw Refusal.badArgument("[max_primary_shard_size] is not supported here");
    }
    IndexSettings.check(given);
    boolean mayRoute = kind == Kind.SPLIT && source.shards() == 1;
    if (given.containsKey("index.number_of_routing_shards") && !mayRoute) {
      throw Refusal.badArgument("cannot provide index.number_of_routing_shards on resize");
    }
    int shards = shards(kind, source, given);
    requireBlocked(source);
    SortedMap<String, Object> merged = new TreeMap<>(source.settings());
    merged.keySet().removeAll(OWN);
    merged.putAll(given);
    merged.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    merged.put("index.number_of_shards", Integer.toString(shards));
    merged.put("index.resize.source.name", source.id().name());
    merged.put("index.resize.source.uuid", source.id().uuid());
    ObjectNode named = aliases == null ? Json.object() : aliases.node();
    IndexMetadata target =
        creation.createAs(request.required("target"), merged, source.mapping(), named);
    boolean isOpen = CreateIndexApi.awaitShards(indexing, target);
    try {
      copying.copy(source, target);
    } catch (Exception e) {
      metadata.update(
          "delete half-made index [" + target.id().name() + "]",
          state -> {
            IndexMetadata now = state.indices().get(target.id().name());
            return now == null || !now.id().equals(target.id())
                ? state
                : state.withoutIndex(target.id().name());
          });
      throw e;
    }
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeBooleanField("acknowledged", true);
      out.writeBooleanField("shards_acknowledged", isOpen);
      out.writeStringField("index", target.id().name());
      out.writeEndObject();
    });
  }

  private static void requireBlocked(IndexMetadata source) {
    boolean isBlocked =
        IndexBlocks.of(source).stream().anyMatch(block -> block.levels().contains("write"));
    if (!isBlocked) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "index "
              + source.id().name()
              + " must be read-only to resize index. use \"index.blocks.write=true\"");
    }
  }

  private static int shards(Kind kind, IndexMetadata source, SortedMap<String, Object> given) {
    Object asked = given.get("index.number_of_shards");
    int before = source.shards();
    int shards =
        asked == null ? kind == Kind.CLONE ? before : 1 : IndexCreation.wholeNumber("index.number_of_shards", asked);
    if (kind == Kind.SPLIT && asked == null) {
      throw Refusal.badArgument("index.number_of_shards is required for split operations");
    }
    switch (kind) {
      case CLONE -> {
        if (shards != before) {
          throw Refusal.badArgument(
              "the number of source shards ["
                  + before
                  + "] must be the same as the number of target shards ["
                  + shards
                  + "]");
        }
      }
      case SHRINK -> requireFactor(shards < before || before == 1, before, shards, kind);
      case SPLIT -> {
        requireFactor(shards > before, shards, before, kind);
        requireRoutingSlots(source, shards);
      }
    }
    return shards;
  }

  private static void requireFactor(boolean isRightWay, int many, int few, Kind kind) {
    int source = kind == Kind.SPLIT ? few : many;
    int target = kind == Kind.SPLIT ? many : few;
    if (!isRightWay) {
      throw Refusal.badArgument(
          "the number of source shards ["
              + source
              + "] must be "
              + (kind == Kind.SPLIT ? "less" : "greater")
              + " that the number of target shards ["
              + target
              + "]");
    }
    if (many % few != 0) {
      throw Refusal.badArgument(
          "the number of source shards ["
              + source
              + "] must be a "
              + (kind == Kind.SPLIT ? "factor" : "multiple")
              + " of ["
              + target
              + "]");
    }
  }

  private static void requireRoutingSlots(IndexMetadata source, int shards) {
    Object slots = source.settings().get("index.number_of_routing_shards");
    int max = slots == null ? ROUTING_SHARDS_MAX : IndexCreation.wholeNumber("index.number_of_routing_shards", slots);
    if (slots != null && (max % shards != 0 || shards > max)) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          String.format(
              Locale.ROOT,
              "the number of routing shards [%d] must be a multiple of the target shards [%d]",
              max,
              shards));
    }
  }
}
