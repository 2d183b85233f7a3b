package dev.holdfast.query.aggregation.bucket.significant;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.metric.HeuristicScript;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How much more frequent a term is among the documents found than among all (the measures of
/// Elasticsearch's `significant_terms` reference).
///
/// @param includesNegatives whether terms that are less frequent score too
/// @param isSuperset whether the background contains the documents found
/// @param script of the measure `SCRIPT`; null for the others
record Significance(
    Measure measure, boolean includesNegatives, boolean isSuperset, @Nullable ScriptSource script) {
  Significance(Measure measure, boolean includesNegatives, boolean isSuperset) {
    this(measure, includesNegatives, isSuperset, null);
  }

  /// Which formula.
  enum Measure {
    JLH,
    MUTUAL_INFORMATION,
    CHI_SQUARE,
    GND,
    PERCENTAGE,
    SCRIPT
  }

  static Significance parse(JsonObject body) {
    Significance found = new Significance(Measure.JLH, false, true);
    for (Measure measure : Measure.values()) {
      String name = measure.name().toLowerCase(Locale.ROOT);
      JsonObject options = measure == Measure.SCRIPT ? null : body.object(name);
      if (options == null) {
        continue;
      }
      found =
          switch (measure) {
            case JLH, PERCENTAGE -> new Significance(measure, false, true);
            case GND ->
                new Significance(measure, false, options.bool("background_is_superset", true));
            case MUTUAL_INFORMATION, CHI_SQUARE ->
                new Significance(
                    measure,
                    options.bool("include_negatives", false),
                    options.bool("background_is_superset", true));
            case SCRIPT -> throw new IllegalStateException("read apart");
          };
      options.done();
    }
    JsonObject scripted = body.object("script_heuristic");
    if (scripted == null) {
      return found;
    }
    ScriptSource script = ScriptSource.parse(scripted.required("script"));
    scripted.done();
    var _ = Scripts.compiled(script, HeuristicScript.SHAPE);
    return new Significance(Measure.SCRIPT, false, false, script);
  }

  private double scripted(long found, long foundAll, long background, long backgroundAll) {
    ScriptSource source = Objects.requireNonNull(script);
    Map<String, Object> params = source.ownParams();
    params.put("_subset_freq", found);
    params.put("_subset_size", foundAll);
    params.put("_superset_freq", background);
    params.put("_superset_size", backgroundAll);
    return Scripts.instance(
            HeuristicScript.class, Scripts.compiled(source, HeuristicScript.SHAPE), params)
        .execute();
  }

  /// @throws Refusal when the background, said to contain what was found, does not
  void requireSuperset(long found, long foundAll, long background, long backgroundAll) {
    if (!isSuperset || measure == Measure.JLH || measure == Measure.PERCENTAGE) {
      return;
    }
    String wrong =
        found > background
            ? "subsetFreq > supersetFreq"
            : foundAll > backgroundAll
                ? "subsetSize > supersetSize"
                : background - found > backgroundAll - foundAll
                    ? "supersetFreq - subsetFreq > supersetSize - subsetSize"
                    : "";
    if (!wrong.isEmpty()) {
      throw Refusal.badArgument(
          wrong
              + ", does your background filter not include all documents in the bucket? If so and"
              + " it is intentional, set \"background_is_superset\": false");
    }
  }

  /// @param found documents found with the term, of `foundAll`
  /// @param background documents with the term in the background, of `backgroundAll`
  double score(long found, long foundAll, long background, long backgroundAll) {
    if (foundAll == 0 || backgroundAll == 0) {
      return 0;
    }
    return switch (measure) {
      case SCRIPT -> scripted(found, foundAll, background, backgroundAll);
      case JLH -> jlh(found, foundAll, background, backgroundAll);
      case PERCENTAGE -> background == 0 ? 0 : (double) found / background;
      case GND -> gnd(found, foundAll, background, backgroundAll);
      case MUTUAL_INFORMATION ->
          mutualInformation(table(found, foundAll, background, backgroundAll));
      case CHI_SQUARE -> chiSquare(table(found, foundAll, background, backgroundAll));
    };
  }

  private static double jlh(long found, long foundAll, long background, long backgroundAll) {
    double share = (double) found / foundAll;
    double usual = (double) Math.max(1, background) / backgroundAll;
    double change = share - usual;
    return change <= 0 ? 0 : change * (share / usual);
  }

  private double gnd(long found, long foundAll, long background, long backgroundAll) {
    double withTerm = isSuperset ? background : (double) background + found;
    double all = isSuperset ? backgroundAll : (double) backgroundAll + foundAll;
    if (found == 0) {
      return 0;
    }
    double larger = Math.max(Math.log(withTerm), Math.log((double) foundAll));
    double smaller = Math.min(Math.log(withTerm), Math.log((double) foundAll));
    return Math.exp(-(larger - Math.log((double) found)) / (Math.log(all) - smaller));
  }

  /// Documents by whether they have the term (first index) and whether they were found (second).
  private double[][] table(long found, long foundAll, long background, long backgroundAll) {
    double notFoundWith = isSuperset ? background - found : background;
    double notFoundAll = isSuperset ? backgroundAll - foundAll : backgroundAll;
    return new double[][] {{notFoundAll - notFoundWith, foundAll - found}, {notFoundWith, found}};
  }

  private boolean isNegative(double[][] n) {
    double amongFound = n[1][1] / (n[1][1] + n[0][1]);
    double amongOthers = n[1][0] / (n[1][0] + n[0][0]);
    return amongFound < amongOthers;
  }

  private double mutualInformation(double[][] n) {
    if (!includesNegatives && isNegative(n)) {
      return Double.NEGATIVE_INFINITY;
    }
    double all = n[0][0] + n[0][1] + n[1][0] + n[1][1];
    double sum = 0;
    for (int term = 0; term < 2; term++) {
      for (int in = 0; in < 2; in++) {
        double cell = n[term][in];
        double expected = (n[term][0] + n[term][1]) * (n[0][in] + n[1][in]);
        if (cell > 0 && expected > 0) {
          sum += cell / all * Math.log(all * cell / expected) / Math.log(2);
        }
      }
    }
    return Double.isNaN(sum) ? Double.NEGATIVE_INFINITY : sum;
  }

  private double chiSquare(double[][] n) {
    if (!includesNegatives && isNegative(n)) {
      return Double.NEGATIVE_INFINITY;
    }
    double all = n[0][0] + n[0][1] + n[1][0] + n[1][1];
    double difference = n[1][1] * n[0][0] - n[0][1] * n[1][0];
    return all
        * difference
        * difference
        / ((n[1][1] + n[0][1]) * (n[1][1] + n[1][0]) * (n[1][0] + n[0][0]) * (n[0][1] + n[0][0]));
  }
}
