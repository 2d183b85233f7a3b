package dev.holdfast.settings;

import java.util.Locale;

/// Whether a node serves projects, and how a request names its own.
///
/// @param isOn whether there may be any
/// @param domain of the names of hosts that begin with a project's; empty when hosts name none
/// @param within the project whose rooms have these settings; empty for those of the node
public record ProjectSettings(boolean isOn, String domain, String within) {
  /// Of a node without projects.
  public static ProjectSettings off() {
    return new ProjectSettings(false, "", "");
  }

  static ProjectSettings read(SettingsParser given) {
    boolean isOn = given.flag(Setting.PROJECTS);
    String domain = given.value(Setting.PROJECTS_DOMAIN, "", ProjectSettings::domain);
    if (!isOn && !domain.isEmpty()) {
      throw new SettingsException(
          "setting ["
              + Setting.PROJECTS_DOMAIN
              + "] has no effect without ["
              + Setting.PROJECTS
              + ": true]");
    }
    return new ProjectSettings(isOn, domain, "");
  }

  private static String domain(String text) {
    String domain = text.toLowerCase(Locale.ROOT);
    if (!domain.isEmpty() && !domain.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?")) {
      throw new IllegalArgumentException("it is no name of hosts, as [search.example.com] is");
    }
    return domain;
  }

  ProjectSettings within(String project) {
    return new ProjectSettings(isOn, domain, project);
  }

  /// Whether these are the settings of a project's rooms.
  public boolean isWithin() {
    return !within.isEmpty();
  }
}
