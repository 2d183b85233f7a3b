package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Definitions that are there from the start, by name, of one kind: templates, pipelines, policies.
/// They are not kept in the cluster state: a newer build brings newer ones. What is put under such
/// a name stands before the built-in one until it is deleted.
public final class BuiltInDefinitions {
  private final SortedMap<String, ObjectNode> all;

  private BuiltInDefinitions(SortedMap<String, ObjectNode> all) {
    this.all = Collections.unmodifiableSortedMap(all);
  }

  /// Reads a resource: an object of definitions by name, in the form they are kept in.
  ///
  /// @param path absolute, among the resources of this module
  public static BuiltInDefinitions of(String path) {
    try (InputStream file = BuiltInDefinitions.class.getResourceAsStream(path)) {
      SortedMap<String, ObjectNode> all = new TreeMap<>();
      Json.parse(Objects.requireNonNull(file, path).readAllBytes())
          .properties()
          .forEach(e -> all.put(e.getKey(), (ObjectNode) e.getValue()));
      return new BuiltInDefinitions(all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All, by name; never changed.
  public SortedMap<String, ObjectNode> all() {
    return all;
  }

  /// Whether a definition is the built-in one of its name.
  public boolean isOwn(String name, ObjectNode definition) {
    return definition.equals(all.get(name));
  }
}
