package dev.holdfast.oracle;

import java.util.Set;
import java.util.regex.Pattern;

/// A server to compare with.
///
/// @param lacking indices of the corpus that it does not take
record Peer(Server server, Set<String> lacking) {
  private static final Pattern UNKNOWN =
      Pattern.compile(
          "unknown query \\[|Unknown aggregation type|Unknown BaseAggregationBuilder|[Nn]o handler"
              + " for type|no handler found for uri|No handler for type|Unknown Suggestion|Unknown"
              + " NamedWritable|failed to find global|Unknown (token|char|tokeni)[a-z_ ]* type|could"
              + " not find tokenizer|failed to find (tokenizer|filter|analyzer) under name|Failed to find (tokenizer|filter|analyzer)|Unknown analyzer type");

  /// Whether this peer cannot answer, because a part of it is not installed.
  boolean lacks(Request request, Answer answer) {
    return lacks(request) || (answer.isError() && UNKNOWN.matcher(answer.text()).find());
  }

  /// Whether this peer does not have the index that is asked.
  boolean lacks(Request request) {
    String index = request.index();
    return lacking.stream().anyMatch(each -> index.equals(each) || request.text().contains(each));
  }
}
