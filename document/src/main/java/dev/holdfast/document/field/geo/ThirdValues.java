package dev.holdfast.document.field.geo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Heights of places, which fields with `ignore_z_value: false` take no documents with.
final class ThirdValues {
  private static final String NUMBER = "[-+]?+[0-9.]++(?:[eE][-+]?+[0-9]++)?+";

  /// A place of well-known text, whose numbers stand beside each other. It begins where a number
  /// does and never goes back, so that a long text is read once.
  private static final Pattern WELL_KNOWN =
      Pattern.compile("(?<![-+0-9.eE])" + NUMBER + "\\s++" + NUMBER + "\\s++(" + NUMBER + ")");

  private ThirdValues() {}

  /// @param value a place or a shape in any notation, or a list of them
  /// @throws Refusal `parse_exception` for one with a height
  static void refuse(JsonNode value) {
    if (value.isTextual()) {
      refuseIn(value.asText());
    } else if (value.isArray() && value.size() > 2 && value.get(0).isNumber()) {
      throw refusal(value.get(2).asText());
    } else if (value.has("z")) {
      throw refusal(value.get("z").asText());
    } else {
      value.forEach(inner -> {
        if (inner.isContainerNode() || (value.isArray() && inner.isTextual())) {
          refuse(inner);
        }
      });
    }
  }

  private static void refuseIn(String text) {
    if (text.indexOf('(') < 0) {
      String[] parts = text.split(",", -1); // lat,lon
      if (parts.length > 2) {
        throw refusal(parts[2].trim());
      }
      return;
    }
    Matcher third = WELL_KNOWN.matcher(text);
    if (third.find()) {
      throw refusal(third.group(1));
    }
  }

  private static Refusal refusal(String height) {
    return new Refusal(
        ErrorType.PARSE,
        "Exception parsing coordinates: found Z value ["
            + height
            + "] but [ignore_z_value] parameter is [false]");
  }
}
