package dev.holdfast.http;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// Query parameters whose values are checked whether or not an API has a use for them: what cannot
/// be read is refused, never ignored.
public final class ParameterValues {
  private static final List<String> FLAGS =
      List.of(
          "human",
          "pretty",
          "error_trace",
          "allow_no_indices",
          "allow_partial_search_results",
          "all_shards",
          "analyze_wildcard",
          "ccs_minimize_roundtrips",
          "dry_run",
          "flat_settings",
          "flush",
          "full_id",
          "ignore_throttled",
          "ignore_unavailable",
          "include_defaults",
          "include_named_queries_score",
          "include_remotes",
          "include_source_on_error",
          "include_unloaded_segments",
          "lenient",
          "only_expunge_deletes",
          "preserve_existing",
          "require_alias",
          "require_data_stream",
          "rest_total_hits_as_int",
          "typed_keys",
          "wait_for_completion",
          "write_index_only");

  private static final List<String> TIMES = List.of("timeout", "master_timeout");

  private ParameterValues() {}

  /// @throws Refusal for the first value that is none
  public static void check(Map<String, String> parameters) {
    for (String name : TIMES) {
      String text = parameters.get(name);
      if (text != null) {
        var _ = TimeValue.parse(name, text);
      }
    }
    for (String name : FLAGS) {
      String text = parameters.get(name);
      if (text != null && !text.isEmpty() && !text.equals("true") && !text.equals("false")) {
        throw Refusal.badArgument(
            "Failed to parse value [" + text + "] as only [true] or [false] are allowed.");
      }
    }
    String copies = parameters.get("wait_for_active_shards");
    if (copies != null) {
      checkCopies(copies);
    }
  }

  /// `all`, `index-setting`, or a number of copies.
  private static void checkCopies(String text) {
    if (text.isEmpty() || text.equals("all") || text.equals("index-setting")) {
      return;
    }
    int copies;
    try {
      copies = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "cannot parse ActiveShardCount[" + text + "]",
          new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
    }
    if (copies < 0) {
      throw Refusal.badArgument("shard count cannot be a negative value");
    }
  }
}
