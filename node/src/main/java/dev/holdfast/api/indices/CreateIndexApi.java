package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.NewIndexName;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.MappingWarnings;
import dev.holdfast.api.indices.settings.SettingWarnings;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Objects;
import java.util.SortedMap;

/// `PUT /{index}`.
public final class CreateIndexApi implements Api {
  private final IndexCreation creation;
  private final IndexingShards indexing;

  public CreateIndexApi(IndexCreation creation, IndexingShards indexing) {
    this.creation = creation;
    this.indexing = indexing;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    ObjectNode body = request.body().kept();
    if (body.get("settings") instanceof ObjectNode settings) {
      requireRoutable(IndexSettings.read(settings));
    }
    String name = request.required("index");
    IndexMetadata index =
        creation.create(
            new NewIndexName(name, request.given("index")),
            body,
            state -> {
              requireCopies(request, Objects.requireNonNull(state.indices().get(name)));
              return state;
            });
    boolean isOpen = isWaitedFor(request, indexing, index);
    Answer answer =
        Answer.of(out -> {
          out.writeStartObject();
          out.writeBooleanField("acknowledged", true);
          out.writeBooleanField("shards_acknowledged", isOpen);
          out.writeStringField("index", index.id().name());
          out.writeEndObject();
        });
    return MappingWarnings.warn(
        SettingWarnings.warn(answer, index.settings()), body.path("mappings"));
  }

  /// Nobody waits for copies that there will never be.
  private static void requireCopies(ApiRequest request, IndexMetadata index) {
    String wanted = request.text("wait_for_active_shards", "1");
    long copies = 1L + Long.parseLong(index.setting("index.number_of_replicas", "1"));
    if (wanted.matches("\\d{1,9}") && Long.parseLong(wanted) > copies) {
      throw Refusal.badArgument(
          "invalid wait_for_active_shards["
              + wanted
              + "]: cannot be greater than number of shard copies ["
              + copies
              + "]");
    }
  }

  /// Shards are split by factors.
  private static void requireRoutable(SortedMap<String, Object> settings) {
    String shards = String.valueOf(settings.get("index.number_of_shards"));
    String routed = String.valueOf(settings.get("index.number_of_routing_shards"));
    boolean areNumbers = shards.matches("[1-9]\\d{0,3}") && routed.matches("[1-9]\\d{0,3}");
    if (areNumbers && Integer.parseInt(routed) % Integer.parseInt(shards) != 0) {
      throw Refusal.badArgument(
          "the number of source shards [" + shards + "] must be a factor of [" + routed + "]");
    }
  }

  /// Whether every shard is open, or the request does not want to wait for any.
  static boolean isWaitedFor(ApiRequest request, IndexingShards indexing, IndexMetadata index)
      throws IOException, InterruptedException {
    boolean isPatient = !request.text("wait_for_active_shards", "1").equals("0");
    return !isPatient || awaitShards(indexing, index);
  }

  /// Whether every shard is open; waits a while for those that are being opened.
  static boolean awaitShards(IndexingShards indexing, IndexMetadata index)
      throws IOException, InterruptedException {
    return reaches(index, indexing::awaitOpen);
  }

  /// Whether every shard of an open index did what it was asked; false when one was not there in
  /// time.
  static boolean reaches(IndexMetadata index, Asking asking)
      throws IOException, InterruptedException {
    try {
      for (int number = 0; index.isOpen() && number < index.shards(); number++) {
        asking.ask(new ShardId(index.id(), number));
      }
      return true;
    } catch (Refusal e) {
      if (e.type() == ErrorType.UNAVAILABLE_SHARDS || e.type() == ErrorType.SHARD_NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /// Asks one shard for something that takes a while.
  @FunctionalInterface
  interface Asking {
    void ask(ShardId shard) throws IOException, InterruptedException;
  }
}
