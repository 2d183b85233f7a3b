package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// `GET /_cat/aliases`: a line an alias and index.
public final class CatAliasesApi implements CatApi.Maker {
  private final Metadata metadata;

  public CatAliasesApi(Metadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public CatTable table(ApiRequest request) {
    CatTable table =
        new CatTable()
            .column("alias", "a", "alias name")
            .column("index", "i,idx", "index alias points to")
            .column("filter", "f,fi", "filter")
            .column("routing.index", "ri,routingIndex", "index routing")
            .column("routing.search", "rs,routingSearch", "search routing")
            .column("is_write_index", "w,isWriteIndex", "write index");
    List<String> wanted = request.list("name");
    List<String> expanded = request.list("expand_wildcards");
    IndexExpression.Options options =
        IndexExpression.Options.METADATA.expanding(
            expanded.isEmpty() ? new String[] {"all"} : expanded.toArray(String[]::new));
    SortedMap<String, Object[]> rows = new TreeMap<>();
    for (IndexMetadata index : metadata.current().indices().values()) {
      if (wanted.isEmpty()) {
        IndexBlocks.requireShowable(index);
      }
      if (!(index.isOpen() ? options.expandOpen() : options.expandClosed())) {
        continue;
      }
      for (Map.Entry<String, ObjectNode> alias : index.aliases().entrySet()) {
        String name = alias.getKey();
        boolean isHidden = alias.getValue().path("is_hidden").asBoolean(false);
        if (isHidden && !options.expandHidden() && !wanted.contains(name)) {
          continue;
        }
        if (wanted.isEmpty()
            || wanted.contains("_all")
            || wanted.stream().anyMatch(pattern -> Wildcards.matches(pattern, name))) {
          IndexBlocks.requireShowable(index);
          rows.put(name + "\0" + index.id().name(), row(name, index, alias.getValue()));
        }
      }
    }
    rows.values().forEach(table::row);
    return table;
  }

  private static Object[] row(String name, IndexMetadata index, ObjectNode options) {
    String routing = options.path("routing").asText("-");
    return new Object[] {
      name,
      index.id().name(),
      options.has("filter") ? "*" : "-",
      options.path("index_routing").asText(routing),
      options.path("search_routing").asText(routing),
      options.path("is_write_index").asText("-")
    };
  }
}
