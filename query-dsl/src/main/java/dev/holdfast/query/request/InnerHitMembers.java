package dev.holdfast.query.request;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.List;

/// What `inner_hits` may say: how hits are chosen and shown, not what is searched.
public final class InnerHitMembers {
  private static final List<String> KNOWN =
      List.of(
          "_source",
          "collapse",
          "docvalue_fields",
          "explain",
          "fields",
          "from",
          "highlight",
          "ignore_unmapped",
          "name",
          "script_fields",
          "seq_no_primary_term",
          "size",
          "sort",
          "stored_fields",
          "track_scores",
          "version");

  private InnerHitMembers() {}

  /// @throws Refusal `x_content_parse_exception` for the first other member
  public static void requireKnown(JsonObject innerHits) {
    for (String name : innerHits.rest()) {
      if (!KNOWN.contains(name)) {
        throw new Refusal(ErrorType.X_CONTENT_PARSE, "[inner_hits] unknown field [" + name + "]")
            .at(MemberLocation.ofName(innerHits.node(), name));
      }
    }
  }
}
