package dev.holdfast.node.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.node.Rooms;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /_health_report`, `/_health_report/{feature}`: what is well and what is not, in sentences.
final class HealthReportApi implements Api {
  private static final List<String> FEATURES = List.of("master_is_stable", "shards_availability");

  private final Rooms rooms;

  HealthReportApi(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String wanted = request.text("feature");
    if (wanted != null && !FEATURES.contains(wanted)) {
      throw new Refusal(ErrorType.RESOURCE_NOT_FOUND, "Did not find indicator [" + wanted + "]");
    }
    Health health = Health.of(rooms, "", Health.EVERYTHING);
    ObjectNode answer = Json.object();
    if (wanted == null) {
      answer.put("status", health.status().label());
    }
    answer.put("cluster_name", rooms.settings().clusterName());
    ObjectNode indicators = answer.putObject("indicators");
    if (wanted == null || wanted.equals("master_is_stable")) {
      ObjectNode leader =
          indicators
              .putObject("master_is_stable")
              .put("status", "green")
              .put("symptom", "The cluster has a stable master node");
      leader
          .putObject("details")
          .putObject("current_master")
          .put("node_id", rooms.identity().id())
          .put("name", rooms.identity().name());
    }
    if (wanted == null || wanted.equals("shards_availability")) {
      int waiting = health.waiting();
      ObjectNode shards =
          indicators
              .putObject("shards_availability")
              .put("status", health.status().label())
              .put(
                  "symptom",
                  waiting == 0
                      ? "This cluster has all shards available."
                      : "This cluster has " + waiting + " unavailable primary shards.");
      shards
          .putObject("details")
          .put("started_primaries", health.started())
          .put("unassigned_primaries", waiting);
      if (!UploadMarks.lost(rooms.metadata().current()).isEmpty()) {
        LostObjects.diagnose(shards, rooms.metadata().current());
      }
    }
    return Answer.of(200, answer);
  }
}
