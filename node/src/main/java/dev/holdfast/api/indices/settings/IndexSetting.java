package dev.holdfast.api.indices.settings;

import java.util.SortedMap;
import java.util.TreeMap;

/// A setting of an index: what it may hold, and who reads it, or why nobody does. Checks, warnings,
/// suggestions and the table for people (`docs/settings.md`) are made of these.
///
/// @param type for people: `whole number`, `time`, …
/// @param isDynamic whether it may change while the index is open
/// @param check refuses what is no value of it
/// @param reader simple name of the class that reads it; empty for none
/// @param idle why it has no effect here, as the end of a sentence; empty when it has one
public record IndexSetting(
    String name, String type, boolean isDynamic, Check check, String reader, String idle) {
  /// Checks a value; refuses with a sentence for people.
  @FunctionalInterface
  interface Check {
    void accept(String name, String value);
  }

  public IndexSetting {
    if (reader.isEmpty() == idle.isEmpty()) {
      throw new IllegalArgumentException("[" + name + "] is read, or says why not");
    }
  }

  /// The table that settings are declared in, a line each.
  static final class Table {
    private final SortedMap<String, IndexSetting> all = new TreeMap<>();

    Table read(String name, boolean isDynamic, ValueCheck check, Class<?> reader) {
      return read(name, isDynamic, check, reader.getSimpleName());
    }

    Table read(String name, boolean isDynamic, ValueCheck check, String reader) {
      return add(new IndexSetting(name, check.type(), isDynamic, check.check(), reader, ""));
    }

    Table idle(String name, boolean isDynamic, ValueCheck check, String why) {
      return add(new IndexSetting(name, check.type(), isDynamic, check.check(), "", why));
    }

    private Table add(IndexSetting setting) {
      if (all.put(setting.name(), setting) != null) {
        throw new IllegalArgumentException("[" + setting.name() + "] is declared twice");
      }
      return this;
    }

    SortedMap<String, IndexSetting> done() {
      return all;
    }
  }
}
