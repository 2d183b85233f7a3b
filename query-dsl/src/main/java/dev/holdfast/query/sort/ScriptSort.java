package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryReader;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;

/// A sort by what a script makes of each document.
///
/// @param isText whether that is a text; a number else
public record ScriptSort(ScriptSource script, boolean isText) {
  static SortSpec parse(JsonNode value) {
    JsonObject json = JsonObject.of("_script", value);
    JsonNode script = json.take("script");
    String type = json.string("type");
    String order = json.string("order", "asc");
    String mode = json.string("mode");
    JsonNode nested = json.take("nested");
    json.done();
    if (script == null) {
      throw QueryReader.parsing("[_script] requires a [script]");
    }
    if (type == null) {
      throw Refusal.badArgument("Missing type for script sort");
    }
    if (!type.equals("number") && !type.equals("string")) {
      throw Refusal.badArgument(
          type.equals("version")
              ? "[_script] sorts of type [version] are not supported"
              : "Unknown ScriptSortType [" + type + "]");
    }
    if (nested != null) {
      throw Refusal.badArgument("[_script] sorts in [nested] objects are not supported");
    }
    boolean isText = type.equals("string");
    SortSpec.Mode read = mode == null ? null : SortSpec.mode(mode);
    if (isText && read != null && read != SortSpec.Mode.MIN && read != SortSpec.Mode.MAX) {
      throw Refusal.badArgument("script sort of type [string] doesn't support mode [" + mode + "]");
    }
    return SortSpec.scripted(
        SortSpec.isDescending(order), new ScriptSort(ScriptSource.parse(script), isText));
  }
}
