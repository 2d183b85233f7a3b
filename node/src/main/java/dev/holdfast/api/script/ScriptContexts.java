package dev.holdfast.api.script;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.BucketScript;
import dev.holdfast.script.context.BucketSelectorScript;
import dev.holdfast.script.context.ConditionScript;
import dev.holdfast.script.context.FieldScript;
import dev.holdfast.script.context.FilterScript;
import dev.holdfast.script.context.MovingFunctionScript;
import dev.holdfast.script.context.NumberSortScript;
import dev.holdfast.script.context.ScoreScript;
import dev.holdfast.script.context.StringSortScript;
import dev.holdfast.script.context.TermsSetScript;
import dev.holdfast.script.context.TestScript;
import dev.holdfast.script.context.UpdateScript;
import dev.holdfast.script.context.ValueScript;
import dev.holdfast.script.emit.EmitScripts;
import dev.holdfast.script.expression.ExpressionText;
import dev.holdfast.script.metric.CombineScript;
import dev.holdfast.script.metric.HeuristicScript;
import dev.holdfast.script.metric.InitScript;
import dev.holdfast.script.metric.MapScript;
import dev.holdfast.script.metric.ReduceScript;
import dev.holdfast.script.text.IntervalScript;
import dev.holdfast.script.text.SimilarityScript;
import dev.holdfast.script.text.TokenScript;
import dev.holdfast.script.text.WeightScript;
import dev.holdfast.script.type.Shape;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every context that a script can be stored for.
public final class ScriptContexts {
  private static final SortedMap<String, Shape> ALL =
      new TreeMap<>(
          Stream.concat(
                  EmitScripts.all().values().stream(),
                  Stream.of(
                      UpdateScript.UPDATE,
                      UpdateScript.UPDATE_BY_QUERY,
                      UpdateScript.REINDEX,
                      UpdateScript.INGEST,
                      ConditionScript.PROCESSOR,
                      ScoreScript.SHAPE,
                      FilterScript.SHAPE,
                      FieldScript.SHAPE,
                      NumberSortScript.SHAPE,
                      StringSortScript.SHAPE,
                      TermsSetScript.SHAPE,
                      TestScript.SHAPE,
                      InitScript.SHAPE,
                      MapScript.SHAPE,
                      CombineScript.SHAPE,
                      ReduceScript.SHAPE,
                      HeuristicScript.SHAPE,
                      TokenScript.SHAPE,
                      IntervalScript.SHAPE,
                      SimilarityScript.SHAPE,
                      WeightScript.SHAPE,
                      ValueScript.SHAPE,
                      BucketScript.SHAPE,
                      BucketSelectorScript.SHAPE,
                      MovingFunctionScript.SHAPE))
              .collect(Collectors.toMap(Shape::name, shape -> shape)));

  private static final String TEMPLATES = "mustache";
  private static final String TEMPLATE_CONTEXT = "template";

  /// In `script.allowed_contexts`: scripts run nowhere.
  private static final String NO_CONTEXT = "none";

  private ScriptContexts() {}

  static SortedMap<String, Shape> all() {
    return ALL;
  }

  /// What the settings of a node name that is no context: scripts would run nowhere.
  public static List<String> unknown(ScriptRules rules) {
    return rules.contexts().stream()
        .filter(name ->
            !ALL.containsKey(name) && !name.equals(TEMPLATE_CONTEXT) && !name.equals(NO_CONTEXT))
        .sorted()
        .toList();
  }

  /// The languages, and in which of their contexts the settings of the node let scripts run.
  public static ObjectNode languages(ScriptRules rules) {
    ObjectNode answer = Json.object();
    ArrayNode types = answer.putArray("types_allowed");
    rules.types().stream().sorted().forEach(types::add);
    ArrayNode languages = answer.putArray("language_contexts");
    List<String> contexts = ALL.keySet().stream().filter(rules::allows).toList();
    ArrayNode expression =
        languages.addObject().put("language", ScriptSource.EXPRESSION).putArray("contexts");
    contexts.stream().filter(ExpressionText::isContext).forEach(expression::add);
    languages.addObject().put("language", TEMPLATES).putArray("contexts").add(TEMPLATE_CONTEXT);
    ArrayNode painless =
        languages.addObject().put("language", ScriptSource.PAINLESS).putArray("contexts");
    contexts.forEach(painless::add);
    return answer;
  }

  /// Compiles a script that is about to be stored.
  ///
  /// @param context null to compile for none
  /// @throws Refusal 400 when it does not compile there, or nobody knows the language or the
  ///   context
  public static void check(String lang, String source, @Nullable String context) {
    if (lang.equals(TEMPLATES) && (context == null || context.equals(TEMPLATE_CONTEXT))) {
      return;
    }
    if (lang.equals(TEMPLATES) && ALL.containsKey(context)) {
      throw Refusal.badArgument(
          "mustache engine does not know how to handle context [" + context + "]");
    }
    if (lang.equals(TEMPLATES)) {
      throw Refusal.badArgument("Unknown context [" + context + "]");
    }
    if (!lang.equals(ScriptSource.PAINLESS) && !lang.equals(ScriptSource.EXPRESSION)) {
      throw Refusal.badArgument("script_lang not supported [" + lang + "]");
    }
    if (context == null) {
      return;
    }
    Shape shape = ALL.get(context);
    if (shape == null) {
      throw Refusal.badArgument("Unknown context [" + context + "]");
    }
    var _ = Scripts.compiled(new ScriptSource(lang, source, Map.of()), shape);
  }
}
