package dev.holdfast.api.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A parser of Prometheus' text format 0.0.4 that accepts nothing else.
record PrometheusText(Map<String, String> types, Map<String, Double> samples) {
  private static final Pattern HELP = Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) \\S.*");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)");
  private static final String BOUND = "le=\"[^\"]*\"";
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\"";
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{" + LABEL + "(?:," + LABEL + ")*\\})?) (\\S+)");

  static PrometheusText parse(String text) {
    assertThat(text).endsWith("\n");
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, Double> samples = new LinkedHashMap<>();
    Set<String> helped = new HashSet<>();
    String group = "";
    for (String line : text.lines().toList()) {
      Matcher help = HELP.matcher(line);
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (help.matches()) {
        group = help.group(1);
        assertThat(helped.add(group)).as("one group of " + group).isTrue();
      } else if (type.matches()) {
        assertThat(type.group(1)).as("TYPE after its HELP").isEqualTo(group);
        types.put(group, type.group(2));
      } else {
        assertThat(sample.matches()).as(line).isTrue();
        String name = sample.group(2);
        boolean isHistogram = "histogram".equals(types.get(group));
        assertThat(name).as(line).matches(isHistogram ? group + "_(bucket|sum|count)" : group);
        if ("counter".equals(types.get(group))) {
          assertThat(name).endsWith("_total");
        }
        assertThat(samples.put(sample.group(1), number(sample.group(4)))).as(line).isNull();
      }
    }
    PrometheusText parsed = new PrometheusText(types, samples);
    parsed.checkHistograms();
    return parsed;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /// Buckets rise, and the last is all.
  private void checkHistograms() {
    Map<String, Double> last = new HashMap<>();
    samples.forEach((name, value) -> {
      int at = name.indexOf("_bucket{");
      if (at >= 0) {
        // One for each set of the other labels.
        String histogram = name.substring(0, at) + name.substring(at + 7).replaceAll(BOUND, "");
        assertThat(value).as(name).isGreaterThanOrEqualTo(last.getOrDefault(histogram, 0.0));
        last.put(histogram, value);
      }
    });
    types.forEach((name, type) -> {
      if (type.equals("histogram")) {
        Map<String, Double> counts = startingWith(samples, name + "_count");
        assertThat(counts).as(name).isNotEmpty();
        assertThat(startingWith(samples, name + "_sum")).hasSameSizeAs(counts);
        counts.forEach((count, value) -> {
          String labels = count.substring((name + "_count").length());
          String key = name + (labels.isEmpty() ? "{}" : labels.replace("}", ",}"));
          assertThat(last.get(key)).as(count).isEqualTo(value);
        });
      }
    });
  }

  private static Map<String, Double> startingWith(Map<String, Double> samples, String start) {
    Map<String, Double> found = new LinkedHashMap<>();
    samples.forEach((name, value) -> {
      if (name.equals(start) || name.startsWith(start + "{")) {
        found.put(name, value);
      }
    });
    return found;
  }

  double value(String sample) {
    return samples.getOrDefault(sample, Double.NaN);
  }
}
