package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.jspecify.annotations.Nullable;

/// The analysers and normalisers of an index: those that its settings define
/// (`index.analysis.analyzer.*` and the like), and the built-in ones. Safe for many threads.
public final class Analysis {
  private static final String PREFIX = "index.analysis.";

  /// Its rules have taken its place.
  private static final String SYNONYMS_SET = "synonyms_set";

  private final SortedMap<String, Object> indexSettings;
  private final Map<String, Map<String, AnalysisParameters>> defined = new TreeMap<>();
  private final Map<String, Analyzer> analyzers = new LinkedHashMap<>();
  private final Map<String, Analyzer> normalizers = new LinkedHashMap<>();
  private final Map<String, Analyzer> builtIn = new ConcurrentHashMap<>();
  private final Analyzer defaultAnalyzer;

  private Analysis(SortedMap<String, Object> indexSettings) {
    this.indexSettings = indexSettings;
    for (String kind : List.of("analyzer", "tokenizer", "filter", "char_filter", "normalizer")) {
      defined.put(kind, defined(kind));
    }
    of("tokenizer").forEach((_, parameters) -> tokenizer(parameters));
    of("char_filter").forEach((_, parameters) -> charFilter(parameters));
    of("analyzer").forEach((name, parameters) -> analyzers.put(name, define(parameters)));
    of("normalizer").forEach((name, parameters) -> normalizers.put(name, normalize(parameters)));
    of("filter").forEach((name, _) -> namedFilter(name, builtIn("keyword")));
    Analyzer chosen = analyzers.get("default");
    defaultAnalyzer = chosen == null ? builtIn("standard") : chosen;
  }

  /// @param indexSettings the index's flat settings
  /// @throws Refusal `illegal_argument_exception` when a definition is wrong
  public static Analysis of(SortedMap<String, Object> indexSettings) {
    return new Analysis(indexSettings);
  }

  /// Settings of parts of which nothing here has read a value, by their full names: they have no
  /// effect. None of those that can't be understood.
  public static List<String> unread(SortedMap<String, Object> indexSettings) {
    try {
      return of(indexSettings).unread();
    } catch (Refusal _) { // whoever uses them says so
      return List.of();
    }
  }

  /// The same of these.
  public List<String> unread() {
    List<String> unread = new ArrayList<>();
    defined.forEach((kind, parts) ->
        parts.forEach((name, parameters) ->
            parameters.unread().stream()
                .filter(key -> !key.equals(SYNONYMS_SET))
                .forEach(key -> unread.add(PREFIX + kind + "." + name + "." + key))));
    return unread;
  }

  /// The analyser of that name, or null when there is none.
  public @Nullable Analyzer analyzer(String name) {
    Analyzer analyzer = analyzers.get(name);
    if (analyzer != null) {
      return analyzer;
    }
    return name.equals("default") ? defaultAnalyzer : builtInOrNull(name);
  }

  /// The normaliser of that name, or null when there is none.
  public @Nullable Analyzer normalizer(String name) {
    Analyzer normalizer = normalizers.get(name);
    return normalizer == null && name.equals("lowercase")
        ? builtIn.computeIfAbsent("normalizer lowercase", _ -> lowercaseNormalizer())
        : normalizer;
  }

  /// `index.analysis.analyzer.default`, or the standard analyser.
  public Analyzer defaultAnalyzer() {
    return defaultAnalyzer;
  }

  /// A text as the character filter of that name changes it.
  ///
  /// @throws Refusal `illegal_argument_exception` when there is none of that name
  public String charFiltered(String name, String text) {
    CharFilters.Part part = namedCharFilter(name);
    if (part == null) {
      throw Refusal.badArgument("failed to find global char filter under [" + name + "]");
    }
    StringWriter filtered = new StringWriter();
    try (Reader reader = CountedCharacters.of(part.filter(), new StringReader(text))) {
      reader.transferTo(filtered);
      WorkMemory.add((long) Character.BYTES * filtered.getBuffer().length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return filtered.toString();
  }

  private Map<String, AnalysisParameters> of(String kind) {
    return java.util.Objects.requireNonNull(defined.get(kind));
  }

  private Map<String, AnalysisParameters> defined(String kind) {
    String prefix = PREFIX + kind + ".";
    Map<String, AnalysisParameters> all = new TreeMap<>();
    for (Map.Entry<String, Object> setting : indexSettings.tailMap(prefix).entrySet()) {
      if (!setting.getKey().startsWith(prefix)) {
        break;
      }
      String rest = setting.getKey().substring(prefix.length());
      int dot = rest.indexOf('.');
      if (dot < 0) {
        continue;
      }
      all.computeIfAbsent(
              rest.substring(0, dot), name -> AnalysisParameters.none(name, indexSettings))
          .values()
          .put(rest.substring(dot + 1), setting.getValue());
    }
    return all;
  }

  private @Nullable Analyzer builtInOrNull(String name) {
    return Analyzers.ALL.get(name) == null ? null : builtIn(name);
  }

  private Analyzer builtIn(String name) {
    return builtIn.computeIfAbsent(
        name,
        _ -> kindOf(Analyzers.ALL, name, name).apply(AnalysisParameters.none(name, indexSettings)));
  }

  private Analyzer define(AnalysisParameters parameters) {
    String type = parameters.text("type");
    if (type == null && !parameters.has("tokenizer")) {
      throw mustSpecify("analyzer", parameters);
    }
    return type == null || type.equals("custom")
        ? custom(parameters)
        : kind(Analyzers.ALL, parameters).apply(parameters);
  }

  private Analyzer custom(AnalysisParameters parameters) {
    String tokenizerName = parameters.text("tokenizer");
    if (tokenizerName == null) {
      throw mustSpecify("analyzer", parameters);
    }
    Tokenizers.Part tokenizer = namedTokenizer(tokenizerName);
    if (tokenizer == null) {
      throw notFound("Custom Analyzer", parameters, "tokenizer", tokenizerName);
    }
    int gap =
        parameters.number("position_increment_gap", PositionGapAnalyzer.POSITION_INCREMENT_GAP);
    return assemble("Custom Analyzer", parameters, tokenizer, gap);
  }

  private Analyzer normalize(AnalysisParameters parameters) {
    String type = parameters.text("type", "custom");
    if (!type.equals("custom")) {
      if (type.equals("lowercase")) {
        return lowercaseNormalizer();
      }
      throw unknown("normalizer", type, parameters.name());
    }
    if (parameters.has("tokenizer")) {
      throw Refusal.badArgument(
          "Custom normalizer [" + parameters.name() + "] cannot configure a tokenizer");
    }
    Tokenizers.Part whole = new Tokenizers.Part(KeywordTokenizer::new, AnalyzerChain.nothing());
    return assemble("Custom normalizer", parameters, whole, 0);
  }

  private Analyzer lowercaseNormalizer() {
    AnalysisParameters lowercase = AnalysisParameters.none("lowercase", indexSettings);
    lowercase.values().put("filter", "lowercase");
    return normalize(lowercase);
  }

  private AnalyzerChain assemble(
      String what, AnalysisParameters parameters, Tokenizers.Part tokenizer, int gap) {
    boolean isNormalizer = what.equals("Custom normalizer");
    List<CharFilters.Part> charFilters = new ArrayList<>();
    for (String name : parameters.list("char_filter")) {
      CharFilters.Part part = namedCharFilter(name);
      if (part == null) {
        throw notFound(what, parameters, "char_filter", name);
      }
      keepNormalizing(!isNormalizer || part.isNormalizing(), parameters, "char filter", name);
      charFilters.add(part);
    }
    List<TokenFilters.Part> filters = new ArrayList<>();
    for (String name : parameters.list("filter")) {
      Analyzer before = new AnalyzerChain(charFilters, tokenizer, filters, gap);
      TokenFilters.Part part = namedFilter(name, before);
      if (part == null) {
        throw notFound(what, parameters, "filter", name);
      }
      keepNormalizing(!isNormalizer || part.isNormalizing(), parameters, "filter", name);
      filters.add(part);
    }
    return new AnalyzerChain(charFilters, tokenizer, filters, gap);
  }

  private static void keepNormalizing(
      boolean isAllowed, AnalysisParameters parameters, String kind, String name) {
    if (!isAllowed) {
      throw Refusal.badArgument(
          "Custom normalizer [" + parameters.name() + "] may not use " + kind + " [" + name + "]");
    }
  }

  private Tokenizers.@Nullable Part namedTokenizer(String name) {
    AnalysisParameters parameters = of("tokenizer").get(name);
    return parameters != null
        ? tokenizer(parameters)
        : Tokenizers.ALL.get(name) == null
            ? null
            : kindOf(Tokenizers.ALL, name, name)
                .apply(AnalysisParameters.none(name, indexSettings));
  }

  private CharFilters.@Nullable Part namedCharFilter(String name) {
    AnalysisParameters parameters = of("char_filter").get(name);
    return parameters != null
        ? charFilter(parameters)
        : CharFilters.ALL.get(name) == null
            ? null
            : kindOf(CharFilters.ALL, name, name)
                .apply(AnalysisParameters.none(name, indexSettings));
  }

  private TokenFilters.@Nullable Part namedFilter(String name, Analyzer before) {
    AnalysisParameters parameters = of("filter").get(name);
    if (parameters != null) {
      return kind(TokenFilters.ALL, parameters)
          .make(parameters, before, other -> partOfFilter(name, other, before));
    }
    TokenFilters.Kind kind = TokenFilters.ALL.get(name);
    return kind == null ? null : kind.make(AnalysisParameters.none(name, indexSettings), before);
  }

  /// A filter that another is made of; none of those can be made of others again.
  private TokenFilters.@Nullable Part partOfFilter(String whole, String name, Analyzer before) {
    AnalysisParameters parameters = of("filter").get(name);
    String type = parameters == null ? name : parameters.text("type", "");
    if (type.equals("multiplexer")) {
      throw Refusal.badArgument(
          "Token filter [" + name + "] cannot be used inside token filter [" + whole + "]");
    }
    return namedFilter(name, before);
  }

  private static Tokenizers.Part tokenizer(AnalysisParameters parameters) {
    return kind(Tokenizers.ALL, parameters).apply(parameters);
  }

  private static CharFilters.Part charFilter(AnalysisParameters parameters) {
    return kind(CharFilters.ALL, parameters).apply(parameters);
  }

  private static <T> T kind(Registry<T> kinds, AnalysisParameters parameters) {
    String type = parameters.text("type");
    if (type == null) {
      throw mustSpecify(kinds.kind(), parameters);
    }
    return kindOf(kinds, type, parameters.name());
  }

  private static <T> T kindOf(Registry<T> kinds, String type, String name) {
    T kind = kinds.get(type);
    if (kind == null) {
      throw unknown(kinds.kind(), type, name);
    }
    return kind;
  }

  private static Refusal unknown(String kind, String type, String name) {
    return Refusal.badArgument("Unknown " + kind + " type [" + type + "] for [" + name + "]");
  }

  private static Refusal mustSpecify(String kind, AnalysisParameters parameters) {
    return Refusal.badArgument(
        kind + " [" + parameters.name() + "] must specify either an analyzer type, or a tokenizer");
  }

  private static Refusal notFound(
      String what, AnalysisParameters parameters, String kind, String name) {
    return Refusal.badArgument(
        what
            + " ["
            + parameters.name()
            + "] failed to find "
            + kind
            + " under name ["
            + name
            + "]");
  }
}
