package dev.holdfast.api.cat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;

/// `GET /_cat/templates` and `GET /_cat/component_templates`: a line a template.
public final class CatTemplatesApi {
  private final Metadata metadata;

  public CatTemplatesApi(Metadata metadata) {
    this.metadata = metadata;
  }

  public CatTable templates(ApiRequest request) {
    CatTable table =
        new CatTable()
            .column("name", "n", "template name")
            .column("index_patterns", "t", "template index patterns")
            .column("order", "o,p", "template application order/priority number")
            .column("version", "v", "version")
            .column("composed_of", "c", "component templates comprising index template");
    ClusterState state = metadata.current();
    MatchingTemplates.of(state, MatchingTemplates.LEGACY)
        .forEach((name, one) -> {
          if (isMeant(request, name)) {
            table.row(name, patterns(one), one.path("order").asInt(), version(one), "");
          }
        });
    MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE)
        .forEach((name, one) -> {
          if (isMeant(request, name)) {
            table.row(
                name, patterns(one), one.path("priority").asLong(0), version(one), components(one));
          }
        });
    return table;
  }

  public CatTable components(ApiRequest request) {
    CatTable table =
        new CatTable()
            .column("name", "n", "component template name")
            .column("version", "v", "version")
            .column("alias_count", "a", "alias count")
            .column("mapping_count", "m", "mapping count")
            .column("settings_count", "s", "settings count")
            .column("metadata_count", "me", "metadata count")
            .column("included_in", "i", "included in template");
    ClusterState state = metadata.current();
    MatchingTemplates.of(state, MatchingTemplates.COMPONENT)
        .forEach((name, one) -> {
          if (isMeant(request, name)) {
            JsonNode layer = one.path("template");
            table.row(
                name,
                version(one),
                layer.path("aliases").size(),
                layer.path("mappings").path("properties").size(),
                layer.path("settings").size(),
                one.path("_meta").size(),
                users(state, name));
          }
        });
    return table;
  }

  private static boolean isMeant(ApiRequest request, String name) {
    String pattern = request.text("name", "*");
    return Wildcards.matches(pattern, name);
  }

  private static String patterns(JsonNode template) {
    return MatchingTemplates.patterns(template).toString();
  }

  private static String version(JsonNode template) {
    return template.path("version").asText("");
  }

  private static String components(JsonNode template) {
    List<String> names = new ArrayList<>();
    template.path("composed_of").forEach(name -> names.add(name.asText()));
    return names.toString();
  }

  private static String users(ClusterState state, String component) {
    List<String> users = new ArrayList<>();
    MatchingTemplates.of(state, MatchingTemplates.COMPOSABLE)
        .forEach((name, template) -> {
          for (JsonNode used : template.path("composed_of")) {
            if (used.asText().equals(component)) {
              users.add(name);
            }
          }
        });
    return users.toString();
  }
}
