package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.TokenFilters.Part;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.jspecify.annotations.Nullable;

/// `multiplexer`: each token goes through several chains of filters, whose results stand at one
/// position.
final class Multiplexer implements TokenFilters.Kind {
  @Override
  public Part make(AnalysisParameters parameters, Analyzer before) {
    return make(parameters, before, _ -> null);
  }

  @Override
  public Part make(
      AnalysisParameters parameters, Analyzer before, Function<String, @Nullable Part> others) {
    List<UnaryOperator<TokenStream>> chains = new ArrayList<>();
    if (parameters.flag("preserve_original", true)) {
      chains.add(tokens -> tokens);
    }
    for (String names : parameters.rules("filters")) {
      chains.add(chain(parameters, names, others));
    }
    if (chains.isEmpty()) {
      throw Refusal.badArgument("[" + parameters.name() + "] requires [filters] to be set");
    }
    return new Part(
        false, tokens -> new RemoveDuplicatesTokenFilter(new MultiplexedTokens(tokens, chains)));
  }

  private static UnaryOperator<TokenStream> chain(
      AnalysisParameters parameters, String names, Function<String, @Nullable Part> others) {
    List<UnaryOperator<TokenStream>> filters = new ArrayList<>();
    for (String name : names.split("\\s*,\\s*", -1)) {
      Part part = others.apply(name);
      if (part == null) {
        throw Refusal.badArgument(
            "Multiplexing filter ["
                + parameters.name()
                + "] refers to undefined tokenfilter ["
                + name
                + "]");
      }
      filters.add(part.filter());
    }
    return tokens -> {
      TokenStream filtered = tokens;
      for (UnaryOperator<TokenStream> filter : filters) {
        filtered = filter.apply(filtered);
      }
      return filtered;
    };
  }
}
