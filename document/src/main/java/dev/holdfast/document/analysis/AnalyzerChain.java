package dev.holdfast.document.analysis;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.Reader;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;

/// An analyser made of parts: character filters, a tokenizer, token filters.
final class AnalyzerChain extends Analyzer {
  private final List<CharFilters.Part> charFilters;
  private final Tokenizers.Part tokenizer;
  private final List<TokenFilters.Part> filters;
  private final int positionIncrementGap;

  AnalyzerChain(
      List<CharFilters.Part> charFilters,
      Tokenizers.Part tokenizer,
      List<TokenFilters.Part> filters,
      int positionIncrementGap) {
    this.charFilters = List.copyOf(charFilters);
    this.tokenizer = tokenizer;
    this.filters = List.copyOf(filters);
    this.positionIncrementGap = positionIncrementGap;
  }

  /// @throws Refusal `illegal_argument_exception` when Lucene takes a number of a part for none
  @Override
  protected TokenStreamComponents createComponents(String field) {
    try {
      Tokenizer source = tokenizer.source().get();
      TokenStream tokens = tokenizer.filter().apply(source);
      for (TokenFilters.Part filter : filters) {
        tokens = filter.filter().apply(tokens);
      }
      return new TokenStreamComponents(source, tokens);
    } catch (IllegalArgumentException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  protected Reader initReader(String field, Reader reader) {
    Reader filtered = reader;
    for (CharFilters.Part filter : charFilters) {
      // Each: the next may read all of it before it gives any.
      filtered = CountedCharacters.of(filter.filter(), filtered);
    }
    return filtered;
  }

  @Override
  protected TokenStream normalize(String field, TokenStream tokens) {
    TokenStream normalized = tokens;
    for (TokenFilters.Part filter : filters) {
      normalized = filter.isNormalizing() ? filter.filter().apply(normalized) : normalized;
    }
    return normalized;
  }

  @Override
  protected Reader initReaderForNormalization(String field, Reader reader) {
    Reader filtered = reader;
    for (CharFilters.Part filter : charFilters) {
      filtered = filter.isNormalizing() ? filter.filter().apply(filtered) : filtered;
    }
    return filtered;
  }

  @Override
  public int getPositionIncrementGap(String field) {
    return positionIncrementGap;
  }

  /// A filter that changes nothing.
  static UnaryOperator<TokenStream> nothing() {
    return tokens -> tokens;
  }
}
