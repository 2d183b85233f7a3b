package dev.holdfast.clusterstate.repository;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Where snapshots lie, as a user named it.
///
/// @param type `fs`, `s3`, …
/// @param settings flat, as text
public record Repository(String name, String type, SortedMap<String, String> settings) {
  public Repository {
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
  }

  /// A setting's value, or `whenAbsent`.
  public String setting(String name, String whenAbsent) {
    return settings.getOrDefault(name, whenAbsent);
  }

  /// Whether nobody may change what lies in it.
  public boolean isReadOnly() {
    return type.equals("url") || setting("readonly", "false").equals("true");
  }

  /// `{"type", "settings"}`, as it is kept and shown.
  public ObjectNode json() {
    ObjectNode json = Json.object().put("type", type);
    ObjectNode named = json.putObject("settings");
    settings.forEach(named::put);
    return json;
  }

  /// What [#json] gave.
  public static Repository read(String name, JsonNode json) {
    SortedMap<String, String> settings = new TreeMap<>();
    json.path("settings")
        .properties()
        .forEach(one -> settings.put(one.getKey(), one.getValue().asText()));
    return new Repository(name, json.path("type").asText(), settings);
  }
}
