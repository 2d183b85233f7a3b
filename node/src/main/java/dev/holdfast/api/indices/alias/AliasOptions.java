package dev.holdfast.api.indices.alias;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexNameRules;

/// The options of an alias, for templates.
public final class AliasOptions {
  private AliasOptions() {}

  /// As kept, of an alias whose name may hold `{index}`.
  ///
  /// @throws dev.holdfast.world.Refusal `invalid_alias_name_exception`
  public static ObjectNode ofTemplate(String alias, JsonNode options) {
    IndexNameRules.requireAliasName(alias.replace("{index}", "index"));
    return Aliases.read(alias, options);
  }
}
