package dev.holdfast.api.indices.resolve;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Elasticsearch's rules for names of indices and aliases.
public final class IndexNameRules {
  private static final String FORBIDDEN = "\\/*?\"<>| ,";
  private static final int BYTES_MAX = 255;

  private IndexNameRules() {}

  /// @throws Refusal `invalid_index_name_exception`
  public static void requireIndexName(String name) {
    require(ErrorType.INVALID_INDEX_NAME, "index name", name);
    if (!name.toLowerCase(Locale.ROOT).equals(name)) {
      throw refusal(ErrorType.INVALID_INDEX_NAME, "index name", name, "must be lowercase");
    }
  }

  /// @throws Refusal `invalid_alias_name_exception`
  public static void requireAliasName(String name) {
    require(ErrorType.INVALID_ALIAS_NAME, "alias name", name);
  }

  private static void require(ErrorType type, String what, String name) {
    if (name.isEmpty()) {
      throw refusal(type, what, name, "must not be empty");
    }
    for (int i = 0; i < name.length(); i++) {
      if (FORBIDDEN.indexOf(name.charAt(i)) >= 0) {
        throw refusal(
            type,
            what,
            name,
            "must not contain the following characters ['"
                + " ','\"','*',',','/','<','>','?','\\','|']");
      }
    }
    if (name.indexOf('#') >= 0) {
      throw refusal(type, what, name, "must not contain '#'");
    }
    if (name.indexOf(':') >= 0) {
      throw refusal(type, what, name, "must not contain ':'");
    }
    if (name.charAt(0) == '_' || name.charAt(0) == '-' || name.charAt(0) == '+') {
      throw refusal(type, what, name, "must not start with '_', '-', or '+'");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > BYTES_MAX) {
      throw refusal(type, what, name, what + " is too long, (" + bytes + " > " + BYTES_MAX + ")");
    }
    if (name.equals(".") || name.equals("..")) {
      throw refusal(type, what, name, "must not be '.' or '..'");
    }
  }

  private static Refusal refusal(ErrorType type, String what, String name, String why) {
    if (type == ErrorType.INVALID_ALIAS_NAME) {
      return new Refusal(type, "Invalid " + what + " [" + name + "]: " + why);
    }
    return new Refusal(type, "Invalid " + what + " [" + name + "], " + why)
        .with("index_uuid", "_na_")
        .with("index", name);
  }
}
