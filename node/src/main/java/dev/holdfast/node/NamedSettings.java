package dev.holdfast.node;

import dev.holdfast.settings.SettingsException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Settings named on the command line, by options of their own or by `-E`, each once: of two values
/// one would have no effect, and nobody would know which.
final class NamedSettings {
  private final Map<String, String> byName = new LinkedHashMap<>();

  /// What an option says.
  ///
  /// @param value null when it was not given
  NamedSettings with(String name, @Nullable String value) {
    if (value != null) {
      add(name, value);
    }
    return this;
  }

  /// What `-E` says.
  ///
  /// @param settings as `name=value`
  /// @throws SettingsException when one is not that, or names a setting that has a value already
  NamedSettings withAll(List<String> settings) {
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals <= 0) {
        throw new SettingsException("-E takes name=value, not [" + setting + "]");
      }
      add(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return this;
  }

  private void add(String name, String value) {
    if (byName.putIfAbsent(name, value) != null) {
      throw SettingsException.twice(name, "on the command line");
    }
  }

  Map<String, String> byName() {
    return Collections.unmodifiableMap(byName);
  }
}
