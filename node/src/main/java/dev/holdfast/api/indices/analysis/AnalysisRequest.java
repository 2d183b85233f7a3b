package dev.holdfast.api.indices.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.analysis.Analysis;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/// The body of `_analyze`: texts, and an analyser by name or made of parts for this request alone.
///
/// @param tokenizer null for none: then the whole text is one token
record AnalysisRequest(
    List<String> texts,
    @Nullable String analyzer,
    @Nullable String field,
    @Nullable String normalizer,
    @Nullable JsonNode tokenizer,
    List<JsonNode> charFilters,
    List<JsonNode> filters,
    boolean isExplained,
    List<String> attributes) {
  private static final String PREFIX = "index.analysis.";
  private static final String ANONYMOUS = "__anonymous__";
  private static final Pattern OWN =
      Pattern.compile(Pattern.quote(PREFIX) + "\\w+\\." + ANONYMOUS + "(.*)_\\d+\\.(.*)");

  /// Each stage of an analysis has all filters before it.
  private static final int FILTERS_MAX = 500;

  static AnalysisRequest read(JsonObject body) {
    AnalysisRequest request =
        new AnalysisRequest(
            texts(body),
            body.string("analyzer"),
            body.string("field"),
            body.string("normalizer"),
            body.take("tokenizer"),
            parts(body.take("char_filter")),
            parts(body.take("filter")),
            body.bool("explain", false),
            body.strings("attributes"));
    body.done();
    if (request.texts.isEmpty()) {
      throw invalid("text is missing");
    }
    int filters = request.charFilters.size() + request.filters.size();
    if (filters > FILTERS_MAX) {
      throw invalid("[" + filters + "] filters are more than [" + FILTERS_MAX + "]");
    }
    if (request.analyzer != null && request.hasParts()) {
      throw invalid("cannot define extra components on a named analyzer");
    }
    if (request.normalizer != null && request.hasParts()) {
      throw invalid("cannot define extra components on a named normalizer");
    }
    if (request.normalizer != null && request.analyzer != null) {
      throw invalid("tokenizer/analyze should be null if normalizer is specified");
    }
    return request;
  }

  private static List<String> texts(JsonObject body) {
    JsonNode given = body.node().path("text");
    if (given.isNumber() || given.isBoolean()) {
      throw new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "[analyze_request] text doesn't support values of type: "
                  + (given.isNumber() ? "VALUE_NUMBER" : "VALUE_BOOLEAN"))
          .at(MemberLocation.ofName(body.node(), "text"));
    }
    return body.strings("text");
  }

  private static Refusal invalid(String why) {
    return new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: " + why + ";");
  }

  private static List<JsonNode> parts(@Nullable JsonNode given) {
    List<JsonNode> parts = new ArrayList<>();
    if (given != null && given.isArray()) {
      given.forEach(parts::add);
    } else if (given != null && !given.isNull()) {
      parts.add(given);
    }
    return parts;
  }

  boolean isNamed() {
    return analyzer != null || normalizer != null;
  }

  /// The same by the parts that an index made the analyser or normalizer of.
  ///
  /// @param settings of the index
  /// @param field the mapping of the field that is asked for; empty for none
  /// @return null for one that is not made of parts
  @Nullable AnalysisRequest madeOf(SortedMap<String, Object> settings, JsonNode field) {
    String ofField = field.path("normalizer").asText("");
    String normal = normalizer == null ? ofField : normalizer;
    boolean isNormal = analyzer == null && !normal.isEmpty();
    String name = analyzer == null ? field.path("analyzer").asText("") : analyzer;
    String prefix = PREFIX + (isNormal ? "normalizer." + normal : "analyzer." + name) + ".";
    String source = isNormal ? "keyword" : (String) settings.get(prefix + "tokenizer");
    boolean isMade =
        settings.getOrDefault(prefix + "type", "custom").equals("custom")
            && settings.keySet().stream().anyMatch(one -> one.startsWith(prefix));
    return isMade && source != null
        ? new AnalysisRequest(
            texts,
            null,
            null,
            null,
            TextNode.valueOf(source),
            names(settings.get(prefix + "char_filter")),
            names(settings.get(prefix + "filter")),
            isExplained,
            attributes)
        : null;
  }

  private static List<JsonNode> names(@Nullable Object given) {
    List<?> names =
        given instanceof List<?> list ? list : given == null ? List.of() : List.of(given);
    return names.stream().<JsonNode>map(name -> TextNode.valueOf(name.toString())).toList();
  }

  boolean hasParts() {
    return tokenizer != null || !charFilters.isEmpty() || !filters.isEmpty();
  }

  /// Analysers of the parts: when they are to be explained the tokenizer alone, then with one
  /// filter more each; the last is the whole.
  ///
  /// @param settings of the index, whose own parts may be named; empty for none
  /// @throws Refusal `illegal_argument_exception` for a part that does not exist
  List<Analyzer> stages(SortedMap<String, Object> settings) {
    SortedMap<String, Object> all = new TreeMap<>(settings);
    String source = tokenizer == null ? "keyword" : define(all, "tokenizer", 0, tokenizer);
    List<String> before = define(all, "char_filter", charFilters);
    List<String> after = define(all, "filter", filters);
    int first = isExplained ? 0 : after.size();
    for (int used = first; used <= after.size(); used++) {
      String stage = PREFIX + "analyzer._stage_" + used + ".";
      all.put(stage + "tokenizer", source);
      all.put(stage + "char_filter", before);
      all.put(stage + "filter", new ArrayList<>(after.subList(0, used)));
    }
    Analysis analysis = analysis(all);
    List<Analyzer> stages = new ArrayList<>();
    for (int used = first; used <= after.size(); used++) {
      Analyzer stage = analysis.analyzer("_stage_" + used);
      if (stage != null) {
        stages.add(stage);
      }
    }
    return stages;
  }

  /// Settings of parts that the request itself defines and that nothing reads: `zz of [ngram]`.
  ///
  /// @param settings of the index
  List<String> unread(SortedMap<String, Object> settings) {
    SortedMap<String, Object> all = new TreeMap<>(settings);
    if (tokenizer != null) {
      String _ = define(all, "tokenizer", 0, tokenizer);
    }
    List<String> _ = define(all, "char_filter", charFilters);
    List<String> _ = define(all, "filter", filters);
    return all.size() == settings.size()
        ? List.of()
        : Analysis.unread(all).stream()
            .map(OWN::matcher)
            .filter(Matcher::matches)
            .map(own -> own.group(2) + " of [" + own.group(1) + "]")
            .toList();
  }

  /// The texts after each character filter.
  List<List<String>> charFiltered(SortedMap<String, Object> settings) {
    SortedMap<String, Object> all = new TreeMap<>(settings);
    List<String> names = define(all, "char_filter", charFilters);
    Analysis analysis = analysis(all);
    List<List<String>> stages = new ArrayList<>();
    List<String> at = texts;
    for (String name : names) {
      at = at.stream().map(text -> analysis.charFiltered(name, text)).toList();
      stages.add(at);
    }
    return stages;
  }

  private static Analysis analysis(SortedMap<String, Object> settings) {
    try {
      return Analysis.of(settings);
    } catch (Refusal e) {
      throw inOneWord(e);
    }
  }

  /// The names of stages mean nothing to the client.
  private static Refusal inOneWord(Refusal e) {
    int at = e.reason().indexOf("failed to find ");
    if (at < 0 || !e.reason().contains("_stage_")) {
      return e;
    }
    return new Refusal(
        e.type(),
        e.reason()
            .substring(at)
            .replace("failed to find ", "failed to find global ")
            .replace(" under name [", " under ["),
        e);
  }

  private static List<String> define(
      SortedMap<String, Object> settings, String kind, List<JsonNode> parts) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      names.add(define(settings, kind, i, parts.get(i)));
    }
    return names;
  }

  private static String define(
      SortedMap<String, Object> settings, String kind, int number, JsonNode part) {
    if (!part.isObject()) {
      return part.asText();
    }
    String name = ANONYMOUS + part.path("type").asText() + "_" + number;
    define(settings, PREFIX + kind + "." + name, part);
    return name;
  }

  private static void define(SortedMap<String, Object> settings, String prefix, JsonNode part) {
    for (var setting : part.properties()) {
      JsonNode value = setting.getValue();
      String path = prefix + "." + setting.getKey();
      if (value.isObject()) {
        define(settings, path, value);
      } else if (value.isArray()) {
        List<String> several = new ArrayList<>();
        value.forEach(one -> several.add(one.asText()));
        settings.put(path, several);
      } else {
        settings.put(path, value.asText());
      }
    }
  }

  /// What a part is called in an explanation.
  static String nameOf(JsonNode part) {
    return part.isObject() ? "__anonymous__" + part.path("type").asText() : part.asText();
  }
}
