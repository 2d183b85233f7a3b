package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// The documents that are asked about: the same for every seed, in the same order in every server.
final class Corpus {
  /// What the names of its indices begin with.
  static final String PREFIX = "oracle-";

  private static final String INDEX_RULE = "corpus.";
  private static final int TYPE_DOCUMENTS = 40;

  /// Every how manieth document of an index with children is a parent.
  private static final int FAMILY = 5;

  private final Features features;

  Corpus(Features features) {
    this.features = features;
  }

  /// Creates and fills all indices, instead of those that were there.
  ///
  /// @return indices that this server does not take
  Set<String> build(Server server) throws IOException {
    Set<String> lacking = new LinkedHashSet<>();
    for (String index : indices()) {
      String name = PREFIX + index;
      server.send("DELETE", "/" + name, "");
      Answer created = server.send("PUT", "/" + name, definition(index));
      if (created.isError()) {
        lacking.add(name);
      } else {
        fill(server, index);
      }
    }
    server.send("POST", "/" + PREFIX + "books/_alias/oracle-alias", "");
    return lacking;
  }

  /// Indices that a server filled before does not have.
  Set<String> missing(Server server) throws IOException {
    Set<String> lacking = new LinkedHashSet<>();
    for (String index : indices()) {
      if (server.send("HEAD", "/" + PREFIX + index, "").status() != 200) {
        lacking.add(PREFIX + index);
      }
    }
    return lacking;
  }

  private Set<String> indices() {
    Set<String> indices = new LinkedHashSet<>();
    for (String rule : features.grammar().rules()) {
      if (rule.startsWith(INDEX_RULE)) {
        indices.add(rule.substring(INDEX_RULE.length()));
      }
    }
    for (String type : features.types()) {
      indices.add("type-" + type);
    }
    return indices;
  }

  private String definition(String index) {
    if (index.startsWith("type-")) {
      return features
          .grammar()
          .draw(
              "type_definition",
              Map.of("it", Features.TYPE_MAPPING + index.substring("type-".length())),
              new Random(1));
    }
    return features.grammar().draw(INDEX_RULE + index, Map.of(), new Random(1));
  }

  private void fill(Server server, String index) throws IOException {
    String name = PREFIX + index;
    JsonNode answer =
        server.send("POST", "/" + name + "/_bulk?refresh=true", documents(index)).json();
    for (JsonNode item : answer.path("items")) {
      if (item.path("index").has("error")) {
        throw new IOException(server + " refuses a document of " + name + ": " + item);
      }
    }
    if (!answer.has("items")) {
      throw new IOException(server + " refuses the documents of " + name + ": " + answer);
    }
    server.send("POST", "/" + name + "/_forcemerge?max_num_segments=1", "");
    server.send("POST", "/" + name + "/_refresh", "");
  }

  private String documents(String index) {
    Grammar grammar = features.grammar();
    boolean isType = index.startsWith("type-");
    Map<String, String> bindings = new HashMap<>();
    if (isType) {
      bindings.putAll(Features.typeBindings(index.substring("type-".length())));
    }
    String ofType = index.replace("type-", "type_document.");
    String rule =
        isType ? (grammar.has(ofType) ? ofType : "type_document") : "document." + index;
    String child = "child." + index;
    int count =
        isType
            ? TYPE_DOCUMENTS
            : Integer.parseInt(grammar.draw("count." + index, Map.of(), new Random(1)));
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      Random random = new Random(Features.mix(index.hashCode(), i));
      int parent = i - i % FAMILY;
      bindings.put("number", "=" + i);
      bindings.put("parent", "=" + parent);
      boolean isChild = grammar.has(child) && i != parent && parent > 0;
      lines.append("{\"index\":{\"_id\":\"").append(i).append('"');
      if (isChild) {
        lines.append(",\"routing\":\"").append(parent).append('"');
      }
      if (grammar.has("routing." + index)) {
        lines
            .append(",\"routing\":\"")
            .append(grammar.draw("routing." + index, Map.of(), random))
            .append('"');
      }
      lines.append("}}\n");
      lines.append(grammar.draw(isChild ? child : rule, bindings, random)).append('\n');
    }
    return lines.toString();
  }
}
