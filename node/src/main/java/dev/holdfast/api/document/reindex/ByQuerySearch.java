package dev.holdfast.api.document.reindex;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.search.ScrollFaults;
import dev.holdfast.api.search.SearchSlices;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The search by which a by-query request reads its documents, page by page.
///
/// @param body of the search, with what writes need to know of each hit
/// @param batch hits of a page
/// @param part that is read; null for the whole
record ByQuerySearch(ObjectNode body, int batch, ShardTarget.@Nullable Slice part) {
  private static final int BATCH_DEFAULT = 1000;

  /// @param given the search of the request, which is changed
  /// @param batch hits of a page as the URL says; null for what the search says
  /// @param slices that the request asks for, as [ByQueryParameters#slicesAsked] reads them
  /// @param faults of the rest of the request
  /// @throws Refusal for what no search may ask for, then for what cannot be read page by page
  static ByQuerySearch read(
      ObjectNode given, @Nullable Integer batch, int slices, List<String> faults) {
    ShardTarget.Slice part = SearchSlices.parse(given.remove("slice"));
    SearchSource read = SearchParser.parse(given);
    int size = batch != null ? batch : given.has("size") ? read.size() : BATCH_DEFAULT;
    if (size < 0) {
      throw Refusal.badArgument("[size] parameter cannot be negative, found [" + size + "]");
    }
    given.put("size", size);
    List<String> all = new ArrayList<>(ScrollFaults.of(given));
    if (given.has("from")) {
      all.add("from is not supported in this context");
    }
    if (given.has("stored_fields")) {
      all.add("stored_fields is not supported in this context");
    }
    if (part != null && slices != 1) {
      all.add("can't specify both manual and automatic slicing at the same time");
    }
    all.addAll(faults);
    ScrollFaults.requireNone(all);
    SearchSlices.requireWhole(part);
    if (!given.has("sort")) {
      given.putArray("sort").add("_doc");
    }
    given.put("version", true).put("seq_no_primary_term", true);
    return new ByQuerySearch(given, size, part);
  }
}
