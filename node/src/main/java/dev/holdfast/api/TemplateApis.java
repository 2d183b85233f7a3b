package dev.holdfast.api;

import static dev.holdfast.http.BodyRule.NONE;
import static dev.holdfast.http.BodyRule.OPTIONAL;
import static dev.holdfast.http.BodyRule.REQUIRED;

import dev.holdfast.api.indices.template.ComponentTemplatesApi;
import dev.holdfast.api.indices.template.IndexTemplatesApi;
import dev.holdfast.api.indices.template.LegacyTemplatesApi;
import dev.holdfast.http.Routes;
import java.util.List;

/// The APIs about templates.
final class TemplateApis {
  private static final List<String> PUT = List.of("create", "cause", "master_timeout", "timeout");
  private static final List<String> PUT_LEGACY =
      List.of("create", "cause", "master_timeout", "timeout", "order");
  private static final List<String> GET =
      List.of("flat_settings", "include_defaults", "local", "master_timeout");
  private static final List<String> DELETE = List.of("master_timeout", "timeout");
  private static final List<String> SIMULATE =
      List.of("create", "cause", "include_defaults", "master_timeout");

  private TemplateApis() {}

  static void add(Routes routes, ApiDependencies rooms) {
    IndexTemplatesApi templates =
        new IndexTemplatesApi(rooms.metadata(), rooms.mappings(), rooms.world().clock());
    ComponentTemplatesApi components =
        new ComponentTemplatesApi(
            rooms.metadata(), rooms.mappings(), templates, rooms.world().clock());
    LegacyTemplatesApi legacy = new LegacyTemplatesApi(rooms.metadata(), rooms.mappings());
    routes
        .on("PUT|POST", "/_index_template/{name}", REQUIRED, templates.put(), PUT)
        .on("GET", "/_index_template", NONE, templates.get(), GET)
        .on("GET|HEAD", "/_index_template/{name}", NONE, templates.get(), GET)
        .on("DELETE", "/_index_template/{name}", NONE, templates.delete(), DELETE)
        .on("POST", "/_index_template/_simulate", OPTIONAL, templates.simulate(), SIMULATE)
        .on("POST", "/_index_template/_simulate/{name}", OPTIONAL, templates.simulate(), SIMULATE)
        .on(
            "POST",
            "/_index_template/_simulate_index/{name}",
            OPTIONAL,
            templates.simulateIndex(),
            SIMULATE)
        .on("PUT|POST", "/_component_template/{name}", REQUIRED, components.put(), PUT)
        .on("GET", "/_component_template", NONE, components.get(), GET)
        .on("GET|HEAD", "/_component_template/{name}", NONE, components.get(), GET)
        .on("DELETE", "/_component_template/{name}", NONE, components.delete(), DELETE)
        .on("PUT|POST", "/_template/{name}", REQUIRED, legacy.put(), PUT_LEGACY)
        .on("GET", "/_template", NONE, legacy.get(), GET)
        .on("GET|HEAD", "/_template/{name}", NONE, legacy.get(), GET)
        .on("DELETE", "/_template/{name}", NONE, legacy.delete(), DELETE);
  }
}
