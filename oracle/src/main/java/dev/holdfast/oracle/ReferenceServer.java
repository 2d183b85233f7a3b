package dev.holdfast.oracle;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;

/// A server to compare with.
///
/// @param name `elasticsearch`, or what else the server says it is
/// @param lacking indices of the corpus that it does not take
/// @param lackingFields a request that names one of these fields cannot be asked
/// @param hasScripts false for a server without Painless, to which all scripts are alike
record ReferenceServer(
    Server server,
    String name,
    Set<String> lacking,
    Set<String> lackingFields,
    boolean hasScripts) {
  private static final String ANY_SCRIPT = "{\"script\": {\"source\": \"1\"}}";

  private static final Pattern UNKNOWN =
      Pattern.compile(
          "unknown query \\[|unknown retriever \\[|START_OBJECT in \\[retriever|unsupported"
              + " parameters:  \\[subobjects|Unknown aggregation type|Unknown"
              + " BaseAggregationBuilder|[Nn]o handler for type|no handler found for uri|The mapper"
              + " type \\[[^]]+] declared on field|No handler for type|Unknown Suggestion|Unknown"
              + " NamedWritable|failed to find global|Unknown (token|char|tokeni)[a-z_ ]*"
              + " type|could not find tokenizer|failed to find (tokenizer|filter|analyzer) under"
              + " name|Failed to find (tokenizer|filter|analyzer)|Unknown analyzer type");

  static ReferenceServer of(Server server, Corpus corpus) throws IOException {
    return new ReferenceServer(
        server,
        server
            .send("GET", "/", "")
            .json()
            .path("version")
            .path("distribution")
            .asText("elasticsearch"),
        corpus.missing(server),
        corpus.missingFields(server),
        !server.send("POST", "/_scripts/painless/_execute", ANY_SCRIPT).isError());
  }

  /// Whether this peer has nothing that the feature is about.
  boolean lacks(String feature) {
    return !hasScripts && feature.startsWith("script.");
  }

  /// Whether this peer cannot answer, because a part of it is not installed.
  boolean lacks(OracleRequest request, OracleAnswer answer) {
    return lacks(request) || (answer.isError() && UNKNOWN.matcher(answer.text()).find());
  }

  /// Whether this peer does not have the index or a field that is asked.
  boolean lacks(OracleRequest request) {
    String index = request.index();
    return lacking.stream().anyMatch(each -> index.equals(each) || request.text().contains(each))
        || lackingFields.stream()
            .anyMatch(each -> Pattern.compile("\\b" + each + "\\b").matcher(request.text()).find());
  }
}
