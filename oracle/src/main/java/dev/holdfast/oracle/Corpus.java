package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The documents that are asked about: the same for every seed, in the same order in every server.
final class Corpus {
  /// What the names of its indices begin with.
  static final String PREFIX = "oracle-";

  private static final String INDEX_RULE = "corpus.";
  private static final int TYPE_DOCUMENTS = 40;

  /// Every how manieth document of an index with children is a parent.
  private static final int FAMILY = 5;

  /// A type that a server does not have, and the field that was to be of it.
  private static final Pattern TYPE_LACKING =
      Pattern.compile(
          "(?:No handler for type|The mapper type) \\[([^]]+)] declared on field \\[([^]]+)]");

  private static final int FIELDS_LACKING_MAX = 8;

  private final Features features;

  Corpus(Features features) {
    this.features = features;
  }

  /// Creates and fills all indices, instead of those that were there. Fields whose types a server
  /// lacks are left out, unless the index is about that type.
  void build(Server server) throws IOException {
    for (String index : indices()) {
      String name = PREFIX + index;
      server.send("DELETE", "/" + name, "");
      Set<String> dropped = new TreeSet<>();
      JsonNode definition = OracleAnswer.JSON.readTree(definition(index));
      OracleAnswer created = server.send("PUT", "/" + name, definition.toString());
      for (int i = 0; i < FIELDS_LACKING_MAX && created.isError(); i++) {
        Matcher lacking = TYPE_LACKING.matcher(created.json().path("error").toString());
        if (index.startsWith("type-") || !lacking.find()) {
          break;
        }
        dropped.add(lacking.group(2));
        properties(definition).remove(dropped);
        created = server.send("PUT", "/" + name, definition.toString());
      }
      if (!created.isError()) {
        fill(server, index, dropped);
      }
    }
    server.send("POST", "/" + PREFIX + "books/_alias/oracle-alias", "");
  }

  ServerCleanup leftovers() {
    Set<String> names = new TreeSet<>();
    indices().forEach(index -> names.add(PREFIX + index));
    return new ServerCleanup(
        names, Integer.parseInt(features.grammar().draw("count.few", Map.of(), new Random(1))));
  }

  /// Indices that a server did not take.
  Set<String> missing(Server server) throws IOException {
    Set<String> lacking = new LinkedHashSet<>();
    for (String index : indices()) {
      if (server.send("HEAD", "/" + PREFIX + index, "").status() != 200) {
        lacking.add(PREFIX + index);
      }
    }
    return lacking;
  }

  /// Fields that were left out of indices, because a server has no such type.
  Set<String> missingFields(Server server) throws IOException {
    Set<String> lacking = new TreeSet<>();
    for (String index : indices()) {
      JsonNode there =
          server
              .send("GET", "/" + PREFIX + index + "/_mapping", "")
              .json()
              .path(PREFIX + index)
              .path("mappings");
      if (!there.isMissingNode()) {
        Iterator<String> wanted =
            properties(OracleAnswer.JSON.readTree(definition(index))).fieldNames();
        wanted.forEachRemaining(field -> {
          if (!there.path("properties").has(field)) {
            lacking.add(field);
          }
        });
      }
    }
    return lacking;
  }

  private static ObjectNode properties(JsonNode definition) {
    return definition.path("mappings").path("properties") instanceof ObjectNode properties
        ? properties
        : OracleAnswer.JSON.createObjectNode();
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

  private void fill(Server server, String index, Set<String> dropped) throws IOException {
    String name = PREFIX + index;
    JsonNode answer =
        server.send("POST", "/" + name + "/_bulk?refresh=true", documents(index, dropped)).json();
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

  private String documents(String index, Set<String> dropped) throws IOException {
    Grammar grammar = features.grammar();
    boolean isType = index.startsWith("type-");
    Map<String, String> bindings = new HashMap<>();
    if (isType) {
      bindings.putAll(Features.typeBindings(index.substring("type-".length())));
    }
    String ofType = index.replace("type-", "type_document.");
    String rule = isType ? (grammar.has(ofType) ? ofType : "type_document") : "document." + index;
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
      String document = grammar.draw(isChild ? child : rule, bindings, random);
      lines.append(dropped.isEmpty() ? document : without(document, dropped)).append('\n');
    }
    return lines.toString();
  }

  private static String without(String document, Set<String> fields) throws IOException {
    JsonNode node = OracleAnswer.JSON.readTree(document);
    if (node instanceof ObjectNode object) {
      object.remove(fields);
    }
    return node.toString();
  }
}
