package dev.holdfast.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.regex.Pattern;

/// A project.
///
/// @param name as requests name it
/// @param uuid made with it: one that is made again under a name that was deleted is another
/// @param createdMillis epoch milliseconds
public record Project(String name, String uuid, long createdMillis, ProjectLimits limits) {
  /// Where in the store the projects lie.
  public static final String FOLDER = "projects/";

  /// As in the name of a host.
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /// @throws Refusal `illegal_argument_exception` for what is no name
  public static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Refusal.badArgument(
          "invalid project name ["
              + name
              + "], must be 1 to 63 lowercase letters, digits and hyphens, and neither begin nor"
              + " end with a hyphen");
    }
  }

  /// What the keys of its objects begin with.
  public String prefix() {
    return prefix(name, uuid);
  }

  static String prefix(String name, String uuid) {
    return FOLDER + name + "/" + uuid + "/";
  }

  ObjectNode json() {
    ObjectNode json = Json.object().put("uuid", uuid).put("created_millis", createdMillis);
    json.set("limits", limits.json());
    return json;
  }

  static Project of(String name, JsonNode json) {
    return new Project(
        name,
        json.path("uuid").asText(),
        json.path("created_millis").asLong(),
        ProjectLimits.kept(json.path("limits")));
  }
}
