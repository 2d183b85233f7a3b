package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An object: a node of the mapping tree. The root has the path "".
///
/// @param dynamic null to inherit from the parent
/// @param enabled null when not said (true); false: its documents' parts are kept in `_source` only
/// @param nesting null for a plain object
/// @param subobjects null when not said (`true`); `false`: names with dots are fields of this
///   object, and there are no objects in it
/// @param sourceKeep what of it a synthetic `_source` keeps as it came; null for what the index
///   says
/// @param members by name, without dots unless it is flat
/// @param passThrough of a `passthrough` object; null for others
public record ObjectMapping(
    String path,
    @Nullable Dynamic dynamic,
    @Nullable Boolean enabled,
    @Nullable Nesting nesting,
    @Nullable String subobjects,
    @Nullable String sourceKeep,
    SortedMap<String, MappingNode> members,
    @Nullable PassThrough passThrough)
    implements MappingNode {

  public ObjectMapping {
    members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
  }

  /// What stands for an object that no mapping has and none will get.
  ///
  /// @param path of the object
  public static ObjectMapping unmapped(String path) {
    return new ObjectMapping(path, null, null, null, null, null, new TreeMap<>(), null);
  }

  public boolean isEnabled() {
    return enabled == null || enabled;
  }

  /// Whether names with dots are names of its own fields.
  public boolean isFlat() {
    return "false".equals(subobjects);
  }

  /// Whether its fields are dimensions of time series because they are its fields.
  public boolean hasDimensions() {
    return passThrough != null && Boolean.TRUE.equals(passThrough.hasDimensions());
  }

  /// Whether it is such an object, or has one.
  public boolean spreadsDimensions() {
    return hasDimensions()
        || members.values().stream()
            .anyMatch(member -> member instanceof ObjectMapping inner && inner.spreadsDimensions());
  }

  public boolean isNested() {
    return nesting != null;
  }

  /// The full path of a member.
  public String child(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    boolean isRoot = path.isEmpty();
    if (nesting != null) {
      json.put("type", "nested");
      if (nesting.includeInParent()) {
        json.put("include_in_parent", true);
      }
      if (nesting.includeInRoot()) {
        json.put("include_in_root", true);
      }
    } else if (passThrough != null) {
      passThrough.write(json);
    } else if (members.isEmpty() && !isRoot) {
      json.put("type", "object");
    }
    if (dynamic != null) {
      json.put("dynamic", dynamic.shown());
    }
    if (!isEnabled()) {
      json.put("enabled", false);
    }
    if ("true".equals(subobjects)) {
      json.put("subobjects", true);
    } else if ("auto".equals(subobjects)) {
      json.put("subobjects", "auto");
    } else if (isFlat() && passThrough == null) {
      json.put("subobjects", false);
    }
    if (sourceKeep != null) {
      json.put(FieldParameters.SOURCE_KEEP, sourceKeep);
    }
    if (!members.isEmpty()) {
      ObjectNode properties = json.putObject("properties");
      members.forEach((name, member) -> properties.set(name, member.toJson()));
    }
    return json;
  }

  @Override
  public ObjectMapping merge(MappingNode changed) {
    if (!(changed instanceof ObjectMapping object)) {
      throw Refusal.badArgument(
          "can't merge a non object mapping [" + changed.path() + "] with an object mapping");
    }
    checkNesting(object);
    if (object.passThrough != null && passThrough == null) {
      throw Refusal.badArgument(
          "the object mapping [" + path + "] can't be changed to type [passthrough]");
    }
    if (object.enabled != null && object.isEnabled() != isEnabled()) {
      throw Refusal.badArgument(
          "the [enabled] parameter can't be updated for the object mapping ["
              + (path.isEmpty() ? "_doc" : path)
              + "]");
    }
    if (object.subobjects != null && object.isFlat() != isFlat()) {
      throw Refusal.badArgument(
          "the [subobjects] parameter can't be updated for the object mapping ["
              + (path.isEmpty() ? "_doc" : path)
              + "]");
    }
    SortedMap<String, MappingNode> merged = new TreeMap<>(members);
    SortedMap<String, MappingNode> changes = new TreeMap<>();
    if (isFlat()) {
      flatten("", object, changes);
    } else {
      changes.putAll(object.members);
    }
    changes.forEach((name, member) -> merged.merge(name, member, MappingNode::merge));
    return new ObjectMapping(
        path,
        object.dynamic == null ? dynamic : object.dynamic,
        object.enabled == null ? enabled : object.enabled,
        nesting,
        subobjects,
        object.sourceKeep == null ? sourceKeep : object.sourceKeep,
        merged,
        passThrough == null || object.passThrough == null
            ? passThrough
            : passThrough.merge(object.passThrough));
  }

  /// The fields of an object and of all objects in it, by their names with dots.
  private static void flatten(String prefix, ObjectMapping object, Map<String, MappingNode> to) {
    object.members.forEach((name, member) -> {
      if (member instanceof ObjectMapping inner) {
        flatten(prefix + name + ".", inner, to);
      } else {
        to.put(prefix + name, member);
      }
    });
  }

  private void checkNesting(ObjectMapping changed) {
    if (changed.isNested() != isNested()) {
      throw Refusal.badArgument(
          "can't merge a non-nested mapping [" + path + "] with a nested mapping");
    }
    if (nesting != null && changed.nesting != null && !nesting.equals(changed.nesting)) {
      boolean isRoot = nesting.includeInParent() == changed.nesting.includeInParent();
      throw Refusal.badArgument(
          "the ["
              + (isRoot ? "include_in_root" : "include_in_parent")
              + "] parameter can't be updated on a nested object mapping");
    }
  }
}
