package dev.holdfast.simulation.fortnight;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.Collection;

/// The templates that the streams of a fortnight are made by.
final class StreamTemplates {
  private StreamTemplates() {}

  static ClusterState in(ClusterState state, Collection<StreamPlan> plans) {
    ObjectNode all = Json.object();
    for (StreamPlan plan : plans) {
      ObjectNode template = all.putObject(plan.name());
      template.putArray("index_patterns").add(plan.name());
      template.putObject("data_stream");
      template
          .putObject("template")
          .putObject("lifecycle")
          .put("data_retention", plan.retentionMillis() / StreamPlan.HOUR + "h");
      template.withObject("/template/mappings/properties/n").put("type", "long");
      if (plan.isSeries()) {
        series(plan, template.withObject("/template"));
      }
    }
    return state.withCustom("index_templates", all);
  }

  private static void series(StreamPlan plan, ObjectNode template) {
    ArrayNode rounds = template.withObject("/lifecycle").putArray("downsampling");
    plan.rounds()
        .forEach((after, hours) ->
            rounds
                .addObject()
                .put("after", after / StreamPlan.HOUR + "h")
                .put("fixed_interval", hours + "h"));
    template
        .putObject("settings")
        .put("index.mode", "time_series")
        .put("index.look_ahead_time", "2h");
    ObjectNode fields = template.withObject("/mappings/properties");
    fields.putObject("d").put("type", "keyword").put("time_series_dimension", true);
    fields.putObject("n").put("type", "long").put("time_series_metric", "gauge");
    fields.putObject("c").put("type", "long").put("time_series_metric", "counter");
  }
}
