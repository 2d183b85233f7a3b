package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An object: a node of the mapping tree. The root has the path "".
///
/// @param dynamic null to inherit from the parent
/// @param enabled null when not said (true); false: its documents' parts are kept in `_source` only
/// @param members by name, without dots
public record ObjectMapping(
    String path,
    @Nullable Dynamic dynamic,
    @Nullable Boolean enabled,
    SortedMap<String, Member> members)
    implements Member {

  public ObjectMapping {
    members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
  }

  public boolean isEnabled() {
    return enabled == null || enabled;
  }

  /// The full path of a member.
  public String child(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    boolean isRoot = path.isEmpty();
    if (members.isEmpty() && !isRoot) {
      json.put("type", "object");
    }
    if (dynamic != null) {
      json.put("dynamic", dynamic.shown());
    }
    if (!isEnabled()) {
      json.put("enabled", false);
    }
    if (!members.isEmpty()) {
      ObjectNode properties = json.putObject("properties");
      members.forEach((name, member) -> properties.set(name, member.toJson()));
    }
    return json;
  }

  @Override
  public ObjectMapping merge(Member changed) {
    if (!(changed instanceof ObjectMapping object)) {
      throw Refusal.badArgument(
          "can't merge a non object mapping [" + changed.path() + "] with an object mapping");
    }
    if (object.enabled != null && object.isEnabled() != isEnabled()) {
      throw Refusal.badArgument(
          "the [enabled] parameter can't be updated for the object mapping ["
              + (path.isEmpty() ? "_doc" : path)
              + "]");
    }
    SortedMap<String, Member> merged = new TreeMap<>(members);
    object.members.forEach((name, member) -> merged.merge(name, member, Member::merge));
    return new ObjectMapping(
        path,
        object.dynamic == null ? dynamic : object.dynamic,
        object.enabled == null ? enabled : object.enabled,
        merged);
  }
}
