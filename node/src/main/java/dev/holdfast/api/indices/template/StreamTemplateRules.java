package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// What templates of data streams must be: streams that are there keep one, and what such a
/// template makes has a time.
public final class StreamTemplateRules {
  /// Parameters that the time of a stream may have.
  private static final Set<String> OF_TIMESTAMP =
      Set.of(
          "type",
          "format",
          "meta",
          "locale",
          "ignore_malformed",
          "index",
          "doc_values",
          "script",
          "on_script_error");

  private StreamTemplateRules() {}

  /// Reads the member `data_stream` of a composable template.
  ///
  /// @param template the body that has it
  /// @throws Refusal `x_content_parse_exception` for unknown members and values that are none
  static ObjectNode read(ObjectNode template, JsonNode given) {
    try {
      JsonObject options = JsonObject.ofKinds("data_stream_template", given);
      ObjectNode kept = options.node().objectNode();
      kept.put("hidden", options.bool("hidden", false));
      kept.put("allow_custom_routing", options.bool("allow_custom_routing", false));
      boolean _ = options.bool("failure_store", false); // an older form, see [#warned]
      options.done();
      return kept;
    } catch (Refusal e) {
      throw Refusal.around(
              ErrorType.X_CONTENT_PARSE, "[index_template] failed to parse field [data_stream]", e)
          .at(MemberLocation.ofName(template, "data_stream"));
    }
  }

  /// An answer that says what of a body has no effect.
  static Answer warned(Answer answer, ObjectNode template) {
    return template.path("data_stream").has("failure_store")
        ? answer.warn(
            "[failure_store] of [data_stream] has no effect; use"
                + " [template.data_stream_options.failure_store]")
        : answer;
  }

  /// Checks what a template and its components make, beyond what any index must be.
  ///
  /// @throws Refusal `illegal_argument_exception`
  static void requireUse(ClusterState state, String name, ObjectNode template) {
    if (template.has("data_stream")) {
      return;
    }
    requireNone(state, name, template, "lifecycle", "lifecycle configuration");
    requireNone(state, name, template, "data_stream_options", "data stream options");
  }

  private static void requireNone(
      ClusterState state, String name, ObjectNode template, String member, String words) {
    if (StreamTemplate.layered(state, template, member) != null) {
      throw Refusal.badArgument(
          "index template ["
              + name
              + "] specifies "
              + words
              + " that can only be used in combination with a data stream");
    }
  }

  /// The field that a stream is ordered by must be a date with doc values.
  ///
  /// @param mapping of an index of the stream, as requests write it
  /// @throws Refusal `illegal_argument_exception`
  public static void requireTimestamp(ObjectNode mapping) {
    JsonNode field = mapping.path("properties").path(DataStream.TIMESTAMP);
    if (field.isMissingNode()) {
      return; // streams bring their own
    }
    String type = field.path("type").asText("object");
    if (!List.of("date", "date_nanos").contains(type)) {
      throw timestampFault("is of type [" + type + "], but [date,date_nanos] is expected");
    }
    for (String name : List.of("ignore_malformed", "null_value")) {
      if (field.has(name) && !field.path(name).asText().equals("false")) {
        throw timestampFault("has disallowed [" + name + "] attribute specified");
      }
    }
    if (!field.path("index").asBoolean(true)) {
      throw timestampFault("indexing can't be explicitly disabled");
    }
    List<String> rest = new ArrayList<>();
    field
        .fieldNames()
        .forEachRemaining(name -> {
          if (!OF_TIMESTAMP.contains(name)) {
            rest.add(name);
          }
        });
    if (!rest.isEmpty()) {
      throw timestampFault("has disallowed attributes: " + rest);
    }
    if (!field.path("doc_values").asBoolean(true)) {
      throw timestampFault("doesn't have doc values");
    }
  }

  /// The same of an index whose documents must have a time; nothing of others.
  public static void requireTimestampOf(ObjectNode mapping) {
    if (mapping.path("_data_stream_timestamp").path("enabled").asBoolean(false)) {
      requireTimestamp(mapping);
    }
  }

  private static Refusal timestampFault(String fault) {
    return Refusal.badArgument(
        "data stream timestamp field [" + DataStream.TIMESTAMP + "] " + fault);
  }

  /// Refuses to take away the last template of streams that are there.
  ///
  /// @param gone names of the templates that are taken away
  /// @throws Refusal `illegal_argument_exception`
  static void requireRemovable(ClusterState before, ClusterState after, SortedSet<String> gone) {
    SortedSet<String> orphans = newOrphans(before, after);
    if (!orphans.isEmpty()) {
      throw Refusal.badArgument(
          "unable to remove composable templates "
              + gone
              + " as they are in use by a data streams "
              + orphans);
    }
  }

  /// Refuses a template after which streams that are there have none.
  ///
  /// @throws Refusal `illegal_argument_exception`
  static void requireStillMatching(
      ClusterState before, ClusterState after, String name, ObjectNode template) {
    SortedSet<String> orphans = newOrphans(before, after);
    if (!orphans.isEmpty()) {
      throw Refusal.badArgument(
          "composable template ["
              + name
              + "] with index patterns "
              + MatchingTemplates.patterns(template)
              + ", priority ["
              + (template.has("priority") ? template.path("priority").asText() : "null")
              + "]"
              + (template.has("data_stream") ? "" : " and no data stream configuration")
              + " would cause data streams "
              + orphans
              + " to no longer match a data stream template");
    }
  }

  /// Streams that have a template before a change, and none after it.
  private static SortedSet<String> newOrphans(ClusterState before, ClusterState after) {
    SortedSet<String> orphans = new TreeSet<>();
    for (DataStream stream : DataStreams.all(after)) {
      if (StreamTemplate.nameFor(after, stream.name()).isEmpty()
          && !StreamTemplate.nameFor(before, stream.name()).isEmpty()) {
        orphans.add(stream.name());
      }
    }
    return orphans;
  }
}
