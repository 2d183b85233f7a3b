package dev.holdfast.query.clause.interval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import dev.holdfast.world.Suggestions;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.jspecify.annotations.Nullable;

/// A rule of an `intervals` query: where in a field something lies.
interface IntervalRule {
  /// Rules by name: one line a kind.
  Registry<Parser> ALL =
      Registry.<Parser>of("interval rule")
          .with("match", IntervalTerms.Match::parse)
          .with("prefix", IntervalTerms.Prefix::parse)
          .with("wildcard", IntervalTerms.Wildcard::parse)
          .with("regexp", IntervalTerms.Regexp::parse)
          .with("range", IntervalTerms.Range::parse)
          .with("fuzzy", IntervalTerms.Fuzzy::parse)
          .with("all_of", IntervalGroups.AllOf::parse)
          .with("any_of", IntervalGroups.AnyOf::parse);

  /// Reads the body of one kind of rule.
  @FunctionalInterface
  interface Parser {
    IntervalRule parse(JsonObject json);
  }

  IntervalsSource source(QueryContext context, String field);

  static IntervalRule parse(String kind, @Nullable JsonNode body) {
    Parser parser = ALL.get(kind);
    if (parser == null) {
      throw QueryReader.parsing(
          Suggestions.didYouMean(
              "Unknown interval type [" + kind + "], expecting one of " + ALL.names(),
              kind,
              ALL.names()));
    }
    JsonObject json = JsonObject.ofKinds(kind, body);
    IntervalRule rule = parser.parse(json);
    json.done();
    return rule;
  }

  /// Reads `{"kind": {…}}`.
  static IntervalRule parseWrapped(JsonNode node) {
    if (!node.isObject() || node.size() != 1) {
      throw QueryReader.parsing("Expected a single interval rule but found [" + node + "]");
    }
    String kind = node.fieldNames().next();
    return parse(kind, node.get(kind));
  }

  static List<IntervalRule> parseAll(JsonNode nodes) {
    if (!nodes.isArray()) {
      throw QueryReader.parsing("[intervals] expected an array of rules");
    }
    List<IntervalRule> rules = new ArrayList<>();
    nodes.forEach(node -> rules.add(parseWrapped(node)));
    if (rules.isEmpty()) {
      throw Refusal.badArgument("[intervals] must hold at least one rule");
    }
    return List.copyOf(rules);
  }
}
