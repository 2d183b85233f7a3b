package dev.holdfast.query.suggest;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.suggest.Suggester.Entry;
import dev.holdfast.query.suggest.Suggester.Option;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `suggest` of a search: suggesters by name.
public record SuggestRequest(Map<String, Named> suggesters) {
  /// A suggester with the name of its kind.
  public record Named(String kind, Suggester suggester) {}

  /// @param kinds parsers of suggesters, by the names that requests use
  /// @param queries reads the queries that suggestions are checked with
  /// @return null when absent, or without any suggestion
  public static @Nullable SuggestRequest parse(
      @Nullable JsonNode given, Registry<Suggester.Parser> kinds, QueryReader queries) {
    if (given == null || given.isNull()) {
      return null;
    }
    JsonObject json = JsonObject.ofValues("suggest", given);
    String common = json.string("text");
    Map<String, Named> all = new LinkedHashMap<>();
    for (String name : json.rest()) {
      all.put(name, one(name, json.take(name), common, kinds, queries));
    }
    return all.isEmpty() ? null : new SuggestRequest(all);
  }

  private static Named one(
      String name,
      @Nullable JsonNode given,
      @Nullable String common,
      Registry<Suggester.Parser> kinds,
      QueryReader queries) {
    if (given == null || !given.isObject()) {
      throw Refusal.badArgument("[suggest] does not support [" + name + "]");
    }
    JsonObject json = JsonObject.ofValues("suggest", given);
    String text = json.string("text");
    String prefix = json.string("prefix");
    String regex = json.string("regex");
    String asked = text != null ? text : prefix != null ? prefix : regex != null ? regex : common;
    Named last = null;
    for (String kind : json.rest()) {
      if (!json.node().path(kind).isObject()) {
        throw new Refusal(ErrorType.PARSING, "suggestion does not support [" + kind + "]")
            .at(MemberLocation.ofValue(given, kind));
      }
      Suggester.Parser parser = kinds.get(kind);
      if (parser == null) {
        throw new Refusal(ErrorType.NAMED_OBJECT_NOT_FOUND, "unknown field [" + kind + "]")
            .at(MemberLocation.ofValue(given, kind));
      }
      if (asked == null) {
        throw Refusal.badArgument("The required text option is missing");
      }
      JsonNode asGiven = json.take(kind);
      if (regex != null && asGiven instanceof ObjectNode object && !object.has("regex")) {
        asGiven = object.deepCopy().set("regex", Json.object());
      }
      JsonObject options = JsonObject.ofValues(kind, asGiven);
      Suggester suggester = parser.parse(options, asked, queries);
      if (!options.rest().isEmpty()) {
        throw new Refusal(
            ErrorType.PARSING,
            "suggester[" + kind + "] doesn't support field [" + options.rest().getFirst() + "]");
      }
      last = new Named(kind, suggester);
    }
    if (last == null) {
      throw new Refusal(ErrorType.PARSE, "missing suggestion object");
    }
    return last;
  }

  /// The refusal of a suggester without a field.
  static Refusal missingField() {
    return new Refusal(ErrorType.PARSE, "the required field option [field] is missing");
  }

  /// What one shard suggests, by name.
  ///
  /// @param documents shows documents as the search asks for
  public Map<String, List<Entry>> of(QueryContext context, Suggester.Documents documents)
      throws IOException {
    Map<String, List<Entry>> found = new LinkedHashMap<>();
    for (Map.Entry<String, Named> one : suggesters.entrySet()) {
      found.put(one.getKey(), one.getValue().suggester().of(context, documents));
    }
    return found;
  }

  /// The suggestions of all shards as one.
  public Map<String, List<Entry>> merge(List<Map<String, List<Entry>>> shards) {
    Map<String, List<Entry>> merged = new LinkedHashMap<>();
    for (Map.Entry<String, Named> one : suggesters.entrySet()) {
      List<List<Entry>> all = new ArrayList<>();
      for (Map<String, List<Entry>> shard : shards) {
        List<Entry> entries = shard.get(one.getKey());
        if (entries != null) {
          all.add(entries);
        }
      }
      merged.put(one.getKey(), one.getValue().suggester().merge(all));
    }
    return merged;
  }

  /// Writes the value of `suggest`.
  public void write(JsonGenerator out, Map<String, List<Entry>> merged, boolean typedKeys)
      throws IOException {
    out.writeStartObject();
    for (Map.Entry<String, Named> one : suggesters.entrySet()) {
      String name = one.getKey();
      out.writeArrayFieldStart(typedKeys ? one.getValue().kind() + "#" + name : name);
      for (Entry entry : merged.getOrDefault(name, List.of())) {
        out.writeStartObject();
        out.writeStringField("text", entry.text());
        out.writeNumberField("offset", entry.offset());
        out.writeNumberField("length", entry.length());
        out.writeArrayFieldStart("options");
        for (Option option : entry.options()) {
          write(out, option);
        }
        out.writeEndArray();
        out.writeEndObject();
      }
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Option option) throws IOException {
    out.writeStartObject();
    out.writeStringField("text", option.text());
    String highlighted = option.highlighted();
    if (highlighted != null) {
      out.writeStringField("highlighted", highlighted);
    }
    Hit hit = option.hit();
    if (hit != null) {
      hit.writeSuggested(out, (float) option.score());
    } else {
      out.writeNumberField("score", (float) option.score());
    }
    if (option.frequency() >= 0) {
      out.writeNumberField("freq", option.frequency());
    }
    Boolean collateMatch = option.collateMatch();
    if (collateMatch != null) {
      out.writeBooleanField("collate_match", collateMatch);
    }
    out.writeEndObject();
  }
}
