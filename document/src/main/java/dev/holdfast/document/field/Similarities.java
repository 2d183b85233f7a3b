package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.search.similarities.AfterEffectB;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BasicModelG;
import org.apache.lucene.search.similarities.BasicModelIF;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.BasicModelIne;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.DFISimilarity;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.DistributionLL;
import org.apache.lucene.search.similarities.DistributionSPL;
import org.apache.lucene.search.similarities.IBSimilarity;
import org.apache.lucene.search.similarities.IndependenceChiSquared;
import org.apache.lucene.search.similarities.IndependenceSaturated;
import org.apache.lucene.search.similarities.IndependenceStandardized;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.LambdaDF;
import org.apache.lucene.search.similarities.LambdaTTF;
import org.apache.lucene.search.similarities.Normalization;
import org.apache.lucene.search.similarities.NormalizationH1;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.NormalizationH3;
import org.apache.lucene.search.similarities.NormalizationZ;
import org.apache.lucene.search.similarities.Similarity;
import org.jspecify.annotations.Nullable;

/// Similarities by name: those that an index defines (`index.similarity.NAME.*`), `BM25` and
/// `boolean`. All encode norms alike, so they matter to searches only.
public final class Similarities {
  private static final float K1 = 1.2f;
  private static final float B = 0.75f;

  private static final Set<String> TYPES =
      Set.of("BM25", "boolean", "DFR", "DFI", "IB", "LMDirichlet", "LMJelinekMercer", "scripted");

  private static final String PREFIX = "index.similarity.";

  private Similarities() {}

  /// What scores a field: what its mapping names, else the index's own `default`, else null.
  ///
  /// @param named null when the mapping says nothing
  /// @param settings flat index settings
  /// @throws Refusal as [#of]
  public static @Nullable Similarity chosen(
      @Nullable String named, String field, SortedMap<String, Object> settings) {
    if (named != null) {
      return of(named, field, settings);
    }
    return settings.containsKey(PREFIX + "default.type") ? of("default", field, settings) : null;
  }

  /// Refuses similarities that cannot be.
  ///
  /// @param settings flat index settings
  /// @throws Refusal `illegal_argument_exception`
  public static void check(SortedMap<String, Object> settings) {
    Map<String, Set<String>> byName = new TreeMap<>();
    for (String name : settings.tailMap(PREFIX).keySet()) {
      int dot = name.indexOf('.', PREFIX.length());
      if (!name.startsWith(PREFIX)) {
        break;
      }
      if (dot > 0) {
        byName
            .computeIfAbsent(name.substring(PREFIX.length(), dot), _ -> new TreeSet<>())
            .add(name.substring(dot + 1));
      }
    }
    byName.forEach((name, members) -> check(name, members, settings));
  }

  private static void check(String name, Set<String> members, SortedMap<String, Object> settings) {
    Object type = settings.get(PREFIX + name + ".type");
    if (type == null) {
      throw Refusal.badArgument("Similarity [" + name + "] must have an associated type");
    }
    if (!TYPES.contains(type.toString())) {
      throw Refusal.badArgument("Unknown Similarity type [" + type + "] for [" + name + "]");
    }
    Definition definition = new Definition(name, settings, new TreeSet<>(Set.of("type")));
    try {
      Similarity _ = of(definition, type.toString(), name);
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
    if (type.toString().equals("BM25")) {
      requireOverlapsDiscounted(definition);
    }
    Set<String> unknown = new TreeSet<>(members);
    unknown.removeAll(definition.read());
    if (!unknown.isEmpty()) {
      throw Refusal.badArgument(
          "Unknown settings for similarity of type [" + type + "]: " + unknown);
    }
  }

  /// @param settings flat index settings
  /// @throws Refusal `mapper_parsing_exception` when there is none of that name
  public static Similarity of(String name, String field, SortedMap<String, Object> settings) {
    Object type = settings.get(PREFIX + name + ".type");
    Definition definition = new Definition(name, settings, new TreeSet<>());
    return of(definition, type == null ? name : type.toString(), field);
  }

  private static Similarity of(Definition definition, String type, String field) {
    String name = definition.name();
    return switch (type) {
      case "BM25" -> bm25(definition);
      case "boolean" -> new BooleanSimilarity();
      case "DFR" -> dfr(definition);
      case "DFI" ->
          new DFISimilarity(
              switch (definition.text("independence_measure", "")) {
                case "standardized" -> new IndependenceStandardized();
                case "saturated" -> new IndependenceSaturated();
                case "chisquared" -> new IndependenceChiSquared();
                default -> throw definition.unsupported("independence_measure");
              });
      case "IB" -> ib(definition);
      case "scripted" -> scripted(definition);
      case "LMDirichlet" -> new LMDirichletSimilarity(definition.number("mu", 2000));
      case "LMJelinekMercer" -> new LMJelinekMercerSimilarity(definition.number("lambda", 0.1f));
      default ->
          throw FieldParameters.mapperParsing(
              "Unknown Similarity type [" + name + "] for field [" + field + "]");
    };
  }

  /// How long a field is, is written with its documents, alike for all similarities.
  private static void requireOverlapsDiscounted(Definition definition) {
    String given = definition.text("discount_overlaps", "true");
    if (!given.equals("true")) {
      throw Refusal.badArgument(
          given.equals("false")
              ? "[discount_overlaps] of similarity ["
                  + definition.name()
                  + "] cannot be [false]: the length of a field never counts words that stand at"
                  + " the place of another"
              : "Failed to parse value [" + given + "] as only [true] or [false] are allowed.");
    }
  }

  private static Similarity bm25(Definition definition) {
    String _ = definition.text("discount_overlaps", "true"); // checked when an index is made
    return new Bm25(definition.number("k1", K1), definition.number("b", B));
  }

  private static Similarity dfr(Definition definition) {
    return new DFRSimilarity(
        switch (definition.text("basic_model", "")) {
          case "g" -> new BasicModelG();
          case "if" -> new BasicModelIF();
          case "in" -> new BasicModelIn();
          case "ine" -> new BasicModelIne();
          default -> throw definition.unsupported("basic_model");
        },
        switch (definition.text("after_effect", "")) {
          case "b" -> new AfterEffectB();
          case "l" -> new AfterEffectL();
          default -> throw definition.unsupported("after_effect");
        },
        normalization(definition));
  }

  private static Similarity scripted(Definition definition) {
    ScriptSource script = definition.script("script");
    if (script == null) {
      throw Refusal.badArgument("Scripted similarities require [script] to be defined");
    }
    return new ScriptedSimilarity(definition.script("weight_script"), script);
  }

  private static Similarity ib(Definition definition) {
    return new IBSimilarity(
        switch (definition.text("distribution", "")) {
          case "ll" -> new DistributionLL();
          case "spl" -> new DistributionSPL();
          default -> throw definition.unsupported("distribution");
        },
        switch (definition.text("lambda", "")) {
          case "df" -> new LambdaDF();
          case "ttf" -> new LambdaTTF();
          default -> throw definition.unsupported("lambda");
        },
        normalization(definition));
  }

  private static Normalization normalization(Definition definition) {
    return switch (definition.text("normalization", "")) {
      case "no" -> new Normalization.NoNormalization();
      case "h1" -> new NormalizationH1(definition.number("normalization.h1.c", 1));
      case "h2" -> new NormalizationH2(definition.number("normalization.h2.c", 1));
      case "h3" -> new NormalizationH3(definition.number("normalization.h3.c", 800));
      case "z" -> new NormalizationZ(definition.number("normalization.z.z", 0.3f));
      default -> throw definition.unsupported("normalization");
    };
  }

  /// What an index says about one similarity.
  ///
  /// @param read the keys that were asked for
  private record Definition(String name, SortedMap<String, Object> settings, Set<String> read) {
    String text(String key, String whenAbsent) {
      read.add(key);
      Object value = settings.get(PREFIX + name + "." + key);
      return value == null ? whenAbsent : value.toString();
    }

    float number(String key, float whenAbsent) {
      String text = text(key, "");
      try {
        return text.isEmpty() ? whenAbsent : Float.parseFloat(text);
      } catch (NumberFormatException e) {
        throw unsupported(key);
      }
    }

    @Nullable ScriptSource script(String key) {
      String prefix = "index.similarity." + name + "." + key;
      ObjectNode json = Json.object();
      settings
          .tailMap(prefix)
          .forEach((setting, value) -> {
            if (setting.equals(prefix) || setting.startsWith(prefix + ".")) {
              read.add(setting.substring((PREFIX + name + ".").length()));
            }
            if (setting.equals(prefix)) {
              json.put("source", value.toString());
            } else if (setting.startsWith(prefix + ".params.")) {
              json.withObject("/params")
                  .set(setting.substring(prefix.length() + 8), Json.MAPPER.valueToTree(value));
            } else if (setting.startsWith(prefix + ".")) {
              json.set(setting.substring(prefix.length() + 1), Json.MAPPER.valueToTree(value));
            }
          });
      return json.isEmpty() ? null : ScriptSource.parse(json);
    }

    Refusal unsupported(String key) {
      return Refusal.badArgument(
          "Unsupported [" + key + "] for similarity [" + name + "]: [" + text(key, "null") + "]");
    }
  }
}
