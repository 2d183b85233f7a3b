package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One HTTP request.
///
/// @param path with its parameters, encoded
/// @param contentType empty for none
@SuppressWarnings("ArrayRecordComponent")
record OracleRequest(String method, String path, String contentType, byte[] body) {
  private static final String DEFAULT = "POST /oracle-books/_search ";
  private static final Pattern PLACE = Pattern.compile("\\{\\{(/[^}]*)}}");

  /// Reads the steps of a text: `METHOD /path body THEN METHOD /path body …`; a body alone is a
  /// search.
  static List<OracleRequest> steps(String text) {
    List<OracleRequest> steps = new ArrayList<>();
    for (String step : text.split(" THEN ")) {
      steps.add(step(step.strip()));
    }
    return steps;
  }

  private static OracleRequest step(String text) {
    String whole = text.matches("(?s)[A-Z]+ /.*") ? text : DEFAULT + text;
    String[] parts = whole.split(" ", 3);
    String body = parts.length < 3 ? "" : parts[2].strip();
    boolean isLines = parts[1].matches("[^?]*/?_(bulk|msearch|msearch/template)(\\?.*)?");
    return new OracleRequest(
        parts[0],
        parts[1],
        body.isEmpty() ? "" : isLines ? "application/x-ndjson" : "application/json",
        (isLines ? body + "\n" : body).getBytes(StandardCharsets.UTF_8));
  }

  /// The same with every `{{/pointer}}` replaced by what the answer before says there.
  OracleRequest after(JsonNode answer) {
    return new OracleRequest(method, fill(path, answer), contentType, body)
        .withText(fill(text(), answer));
  }

  /// The same with another body.
  OracleRequest withText(String text) {
    return new OracleRequest(method, path, contentType, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String fill(String text, JsonNode answer) {
    Matcher places = PLACE.matcher(text);
    return places.replaceAll(place -> {
      JsonNode value = answer.at(place.group(1));
      return Matcher.quoteReplacement(
          value.isValueNode() ? value.asText() : value.isMissingNode() ? "none" : value + "");
    });
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /// The index (or index expression) of the path; empty when it names none.
  String index() {
    String first = path.substring(1).split("[/?]", 2)[0];
    return first.startsWith("_") ? "" : first;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OracleRequest that
        && toString().equals(that.toString())
        && Arrays.equals(body, that.body);
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return method + " " + path + (body.length == 0 ? "" : " " + text().strip());
  }
}
