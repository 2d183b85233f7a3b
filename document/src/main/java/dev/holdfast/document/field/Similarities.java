package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.SortedMap;
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

  private Similarities() {}

  /// @param settings flat index settings
  /// @throws Refusal `mapper_parsing_exception` when there is none of that name
  public static Similarity of(String name, String field, SortedMap<String, Object> settings) {
    Definition definition = new Definition(name, settings);
    Object type = settings.get("index.similarity." + name + ".type");
    return switch (type == null ? name : type.toString()) {
      case "BM25" -> new Bm25(definition.number("k1", K1), definition.number("b", B));
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
  private record Definition(String name, SortedMap<String, Object> settings) {
    String text(String key, String whenAbsent) {
      Object value = settings.get("index.similarity." + name + "." + key);
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
