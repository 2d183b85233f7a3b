package dev.holdfast.document.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.analysis.TokenFilters.Part;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.text.TokenScript;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.FilteringTokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.ConditionalTokenFilter;
import org.jspecify.annotations.Nullable;

/// Filters that a script decides about: `condition`, whose filters see the tokens that it says yes
/// to, and `predicate_token_filter`, which keeps those.
final class ScriptedFilters implements TokenFilters.Kind {
  @Override
  public Part make(AnalysisParameters parameters, Analyzer before) {
    return make(parameters, before, _ -> null);
  }

  @Override
  public Part make(
      AnalysisParameters parameters, Analyzer before, Function<String, @Nullable Part> others) {
    ScriptSource script = script(parameters);
    List<UnaryOperator<TokenStream>> filters = new ArrayList<>();
    for (String name : parameters.list("filter")) {
      Part part = others.apply(name);
      if (part == null) {
        throw Refusal.badArgument(
            "ScriptedConditionTokenFilter ["
                + parameters.name()
                + "] refers to undefined token filter ["
                + name
                + "]");
      }
      filters.add(part.filter());
    }
    if (filters.isEmpty()) {
      throw Refusal.badArgument(
          "Empty list of filters provided to tokenfilter [" + parameters.name() + "]");
    }
    return new Part(
        false,
        tokens ->
            new ConditionalTokenFilter(
                tokens,
                inner -> {
                  TokenStream filtered = inner;
                  for (UnaryOperator<TokenStream> filter : filters) {
                    filtered = filter.apply(filtered);
                  }
                  return filtered;
                }) {
              private final TokenScript predicate = TokenScript.of(script);
              private final AnalysedToken token = new AnalysedToken(this);

              @Override
              protected boolean shouldFilter() {
                token.advance();
                return predicate.execute(token);
              }

              @Override
              public void reset() throws IOException {
                super.reset();
                token.reset();
              }
            });
  }

  static Part predicate(AnalysisParameters parameters) {
    ScriptSource script = script(parameters);
    return new Part(
        false,
        tokens ->
            new FilteringTokenFilter(tokens) {
              private final TokenScript predicate = TokenScript.of(script);
              private final AnalysedToken token = new AnalysedToken(this);

              @Override
              protected boolean accept() {
                token.advance();
                return predicate.execute(token);
              }

              @Override
              public void reset() throws IOException {
                super.reset();
                token.reset();
              }
            });
  }

  /// The setting `script`: a text, or the members of an object.
  private static ScriptSource script(AnalysisParameters parameters) {
    String text = parameters.text("script");
    ObjectNode json = Json.object();
    if (text != null) {
      json.put("source", text);
    }
    for (Map.Entry<String, Object> member : parameters.values().entrySet()) {
      String name = member.getKey();
      if (name.startsWith("script.params.")) {
        json.withObject("/params")
            .set(name.substring(14), Json.MAPPER.valueToTree(member.getValue()));
      } else if (name.startsWith("script.")) {
        json.set(name.substring(7), Json.MAPPER.valueToTree(member.getValue()));
      }
    }
    if (json.isEmpty()) {
      throw Refusal.badArgument("Missing [script] setting for [" + parameters.name() + "]");
    }
    ScriptSource script = ScriptSource.parse(json);
    var _ = Scripts.compiled(script, TokenScript.SHAPE);
    return script;
  }
}
