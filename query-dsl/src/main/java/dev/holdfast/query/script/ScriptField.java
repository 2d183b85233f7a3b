package dev.holdfast.query.script;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.context.FieldScript;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/// A value of hits that a script makes: `script_fields`.
///
/// @param ignoresFailure whether hits that it fails on just lack it
public record ScriptField(String name, ScriptSource script, boolean ignoresFailure) {
  /// Reads the value of `script_fields`.
  public static List<ScriptField> parseAll(@Nullable JsonNode json) {
    List<ScriptField> fields = new ArrayList<>();
    if (json == null || json.isNull()) {
      return fields;
    }
    if (!json.isObject()) {
      throw new Refusal(ErrorType.PARSING, "Expected [START_OBJECT] in [script_fields]");
    }
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      JsonObject field = JsonObject.ofValues("script_fields", member.getValue());
      JsonNode script = field.take("script");
      boolean ignoresFailure = field.bool("ignore_failure", false);
      field.done();
      fields.add(new ScriptField(member.getKey(), ScriptSource.parse(script), ignoresFailure));
    }
    return List.copyOf(fields);
  }

  /// Adds the values of a hit.
  public static void addTo(
      Map<String, List<Object>> values,
      List<ScriptField> fields,
      QueryContext context,
      LeafReaderContext leaf,
      int doc) {
    int max = context.mapping().limits().scriptFieldsMax();
    if (fields.size() > max) {
      throw Refusal.badArgument(
          "Trying to retrieve too many script_fields. Must be less than or equal to: ["
              + max
              + "] but was ["
              + fields.size()
              + "]. This limit can be set by changing the [index.max_script_fields] index level"
              + " setting.");
    }
    for (ScriptField field : fields) {
      // What does not compile fails on no hit, but for all of them.
      var compiled = ScriptedShard.of(field.script, FieldScript.SHAPE, FieldScript.class, context);
      try {
        FieldScript script = compiled.in(leaf);
        script.moveTo(doc);
        List<Object> shown = shown(script.execute());
        if (!shown.isEmpty()) {
          values.put(field.name, shown);
        }
      } catch (Refusal e) {
        if (!field.ignoresFailure) {
          throw e;
        }
      }
    }
  }

  private static List<Object> shown(@Nullable Object value) {
    List<Object> shown = new ArrayList<>();
    if (value instanceof Collection<?> several) {
      several.forEach(one -> shown.add(ScriptValues.json(one)));
    } else {
      shown.add(ScriptValues.json(value));
    }
    return shown;
  }
}
