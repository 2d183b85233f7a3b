package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Compares two answers to one request, member by member.
final class Comparison {
  /// How far two computed numbers may be apart, as a part of the larger.
  private static final BigDecimal RELATIVE = new BigDecimal("1e-5");

  private static final BigDecimal ABSOLUTE = new BigDecimal("1e-9");

  /// `java.base/java.util.ArrayList.get(ArrayList.java:427)`
  private static final Pattern JAVA_FRAME =
      Pattern.compile("[^(]+\\((\\w+\\.java:\\d+|Native Method|Unknown Source|<generated>)\\)");

  private static final int FOUND_MAX = 1000;
  private static final int VALUE_CHARACTERS_MAX = 160;

  /// Members that say when, where and how an answer was made, not what it is.
  private static final Set<String> IGNORED =
      Set.of(
          "took",
          "_scroll_id",
          "pit_id",
          "profile",
          "_node",
          "node",
          "_shard",
          "details",
          "description",
          "explanations",
          "nodes",
          "_seq_no",
          "uuid",
          "index_uuid",
          "creation_date",
          "created_date_millis",
          "modified_date_millis",
          "created",
          "provided_name",
          "skipped",
          "start_time_in_millis",
          "expiration_time_in_millis",
          "completion_time_in_millis",
          "reason");

  /// Arrays that are sets: the peer's order is that of a hash table.
  private static final Set<String> SETS = Set.of("matched_queries");

  private final List<Difference> found = new ArrayList<>();

  private Comparison() {}

  /// Differences between what Holdfast and the peer said, the gravest first.
  static List<Difference> of(OracleAnswer ours, OracleAnswer theirs) {
    Comparison comparison = new Comparison();
    if (ours.status() != theirs.status()) {
      comparison.add(Difference.Kind.STATUS, "", told(ours), told(theirs));
    } else if (ours.isError() && theirs.json().has("error")) {
      String ourType = OracleAnswer.errorType(ours.json());
      String theirType = OracleAnswer.errorType(theirs.json());
      if (!ourType.equals(theirType)) {
        comparison.add(Difference.Kind.ERROR_TYPE, "", told(ours), told(theirs));
      } else {
        comparison.scripts(ours.json().path("error"), theirs.json().path("error"));
      }
    } else if (theirs.json().isMissingNode()) {
      if (!ours.text().equals(theirs.text())) {
        comparison.add(Difference.Kind.CONTENT, "", ours.text(), theirs.text());
      }
    } else {
      comparison.compare("", ours.json(), theirs.json());
    }
    comparison.found.sort(Comparator.comparing(Difference::kind));
    return comparison.found;
  }

  /// Compares where a script failed and with what, where it is a script that did.
  private void scripts(JsonNode ours, JsonNode theirs) {
    JsonNode failed = failedScript(theirs);
    if (failed == null) {
      return;
    }
    JsonNode mine = failedScript(ours);
    JsonNode own = mine == null ? MissingNode.getInstance() : mine;
    if (!scriptLines(own).equals(scriptLines(failed))) {
      add(
          Difference.Kind.CONTENT,
          "/error/script_stack",
          absentOr(own.path("script_stack")),
          scriptLines(failed) + "");
    }
    for (String member : List.of("position", "lang")) {
      if (!own.path(member).equals(failed.path(member))) {
        add(
            Difference.Kind.CONTENT,
            "/error/" + member,
            absentOr(own.path(member)),
            absentOr(failed.path(member)));
      }
    }
    String type = own.path("caused_by").path("type").asText();
    if (!type.equals(failed.path("caused_by").path("type").asText())) {
      add(
          Difference.Kind.ERROR_TYPE,
          "/error/caused_by",
          own.path("caused_by") + "",
          failed.path("caused_by") + "");
    }
  }

  /// Where an error tells of a script, with its causes.
  private static @Nullable JsonNode failedScript(JsonNode error) {
    return error.isObject()
        ? error.<ObjectNode>deepCopy().without("root_cause").findParent("script_stack")
        : null;
  }

  /// The lines of a stack that are of the script: what it called is each server's own.
  private static List<String> scriptLines(JsonNode failed) {
    return failed
        .path("script_stack")
        .valueStream()
        .map(JsonNode::asText)
        .filter(line -> !JAVA_FRAME.matcher(line).matches())
        .toList();
  }

  private static String told(OracleAnswer answer) {
    JsonNode error = answer.json().path("error");
    return answer.status()
        + (error.isMissingNode()
            ? " " + answer.text()
            : " "
                + OracleAnswer.errorType(answer.json())
                + " "
                + (error.isTextual()
                    ? error.asText()
                    : error.has("failed_shards")
                        ? error.path("failed_shards").path(0).path("reason").path("reason").asText()
                        : error.path("reason").asText() + " " + causes(error)));
  }

  private static String causes(JsonNode error) {
    JsonNode cause = error.path("caused_by");
    return cause.isMissingNode()
        ? ""
        : "(" + cause.path("type").asText() + " " + cause.path("reason").asText() + ")";
  }

  private void compare(String path, JsonNode ours, JsonNode theirs) {
    if (found.size() >= FOUND_MAX) {
      return;
    }
    if (ours.isObject() && theirs.isObject()) {
      members(path, ours, theirs);
    } else if (ours.isArray() && theirs.isArray()) {
      elements(path, ours, theirs);
    } else if (ours.isNumber() && theirs.isNumber()) {
      numbers(path, ours, theirs);
    } else if (!ours.equals(theirs)) {
      add(kind(path), path, ours.toString(), theirs.toString());
    }
  }

  private void members(String path, JsonNode ours, JsonNode theirs) {
    Set<String> names = new TreeSet<>();
    ours.fieldNames().forEachRemaining(names::add);
    theirs.fieldNames().forEachRemaining(names::add);
    names.removeAll(IGNORED);
    for (String name : names) {
      String inner = path + "/" + name;
      JsonNode mine = ours.path(name);
      JsonNode other = theirs.path(name);
      if (mine.isMissingNode() || other.isMissingNode()) {
        add(kind(inner), inner, absentOr(mine), absentOr(other));
      } else {
        compare(inner, mine, other);
      }
    }
  }

  private static String absentOr(JsonNode node) {
    return node.isMissingNode() ? "(absent)" : node.toString();
  }

  private void elements(String path, JsonNode ours, JsonNode theirs) {
    if (path.equals("/docs") && theirs.valueStream().anyMatch(each -> each.has("term_vectors"))) {
      // They come in the order of a hash table.
      inOrder(path, byId(ours), byId(theirs));
    } else if (SignificantBuckets.are(theirs) && SignificantBuckets.are(ours)) {
      SignificantBuckets both = SignificantBuckets.of(ours, theirs);
      inOrder(path, both.ours(), both.theirs());
    } else {
      inOrder(path, ours, theirs);
    }
  }

  private static JsonNode byId(JsonNode documents) {
    return OracleAnswer.JSON
        .createArrayNode()
        .addAll(
            documents
                .valueStream()
                .sorted(Comparator.comparing(document -> document.path("_id").asText()))
                .toList());
  }

  private void inOrder(String path, JsonNode ours, JsonNode theirs) {
    if (SETS.contains(path.substring(path.lastIndexOf('/') + 1))
        && Set.copyOf(ours.valueStream().toList())
            .equals(Set.copyOf(theirs.valueStream().toList()))) {
      return;
    }
    if (ours.size() != theirs.size()) {
      add(
          path.endsWith("/hits") ? Difference.Kind.ORDER : kind(path),
          path,
          ours.size() + " of " + names(ours),
          theirs.size() + " of " + names(theirs));
      return;
    }
    boolean areNamed = theirs.valueStream().allMatch(each -> each.has("_id"));
    if (path.endsWith("/hits") && areNamed && !names(ours).equals(names(theirs))) {
      add(Difference.Kind.ORDER, path, names(ours), names(theirs));
      return;
    }
    for (int i = 0; i < ours.size(); i++) {
      compare(path + "/" + i, ours.get(i), theirs.get(i));
    }
  }

  /// What the elements are called: hits by id and score, buckets by key, others as they are.
  private static String names(JsonNode array) {
    StringBuilder names = new StringBuilder();
    for (Iterator<JsonNode> each = array.elements(); each.hasNext(); ) {
      JsonNode element = each.next();
      JsonNode id = element.path("_id");
      JsonNode name = id.isMissingNode() ? element.path("key") : id;
      names.append(name.isMissingNode() ? element.toString() : name.asText()).append(' ');
    }
    return names.toString();
  }

  private void numbers(String path, JsonNode ours, JsonNode theirs) {
    if (ours.isIntegralNumber() && theirs.isIntegralNumber()) {
      if (!ours.bigIntegerValue().equals(theirs.bigIntegerValue())) {
        add(kind(path), path, ours.asText(), theirs.asText());
      }
      return;
    }
    BigDecimal mine = ours.decimalValue();
    BigDecimal other = theirs.decimalValue();
    BigDecimal limit = mine.abs().max(other.abs()).multiply(RELATIVE).max(ABSOLUTE);
    if (mine.subtract(other).abs().compareTo(limit) > 0) {
      add(kind(path), path, ours.asText(), theirs.asText());
    } else if (ours.isIntegralNumber() != theirs.isIntegralNumber()) {
      add(Difference.Kind.FORM, path, ours.asText(), theirs.asText());
    }
  }

  private static Difference.Kind kind(String path) {
    if (path.contains("/hits/total") || path.equals("/count")) {
      return Difference.Kind.TOTAL;
    }
    if (path.endsWith("_score")) {
      return Difference.Kind.SCORE;
    }
    if (path.startsWith("/aggregations") || path.contains("/aggregations/")) {
      return Difference.Kind.AGGREGATION;
    }
    return Difference.Kind.CONTENT;
  }

  private void add(Difference.Kind kind, String path, String ours, String theirs) {
    if (found.size() < FOUND_MAX) {
      found.add(
          new Difference(
              kind, (path.isEmpty() ? "" : path + ": ") + cut(ours) + " != " + cut(theirs)));
    }
  }

  private static String cut(String value) {
    return value.length() <= VALUE_CHARACTERS_MAX
        ? value
        : value.substring(0, VALUE_CHARACTERS_MAX) + "…";
  }

  /// Buckets of significant terms as they can be compared: those of one score have no order, and
  /// which of them are left out at the end is open.
  private record SignificantBuckets(JsonNode ours, JsonNode theirs) {
    private static final double RELATIVE = 1e-9;

    /// Whether an array has such buckets.
    static boolean are(JsonNode array) {
      return !array.isEmpty() && array.valueStream().allMatch(each -> each.has("bg_count"));
    }

    static SignificantBuckets of(JsonNode ours, JsonNode theirs) {
      JsonNode mine = sorted(ours);
      JsonNode other = sorted(theirs);
      if (mine.size() != other.size() || keys(mine).equals(keys(other))) {
        return new SignificantBuckets(mine, other);
      }
      double least = score(other.get(other.size() - 1));
      return new SignificantBuckets(above(mine, least), above(other, least));
    }

    private static double score(JsonNode bucket) {
      return bucket.path("score").asDouble();
    }

    private static List<JsonNode> keys(JsonNode buckets) {
      return buckets.valueStream().map(each -> each.path("key")).toList();
    }

    private static JsonNode sorted(JsonNode buckets) {
      Comparator<JsonNode> byScore =
          (a, b) -> isSame(score(a), score(b)) ? 0 : Double.compare(score(b), score(a));
      return array(
          buckets
              .valueStream()
              .sorted(Comparator.comparing((JsonNode each) -> Objects.toString(each.path("key"))))
              .sorted(byScore)
              .toList());
    }

    private static JsonNode above(JsonNode buckets, double least) {
      return array(buckets.valueStream().filter(each -> !isSame(score(each), least)).toList());
    }

    private static boolean isSame(double a, double b) {
      return Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
    }

    private static JsonNode array(List<JsonNode> nodes) {
      return OracleAnswer.JSON.createArrayNode().addAll(nodes);
    }
  }
}
