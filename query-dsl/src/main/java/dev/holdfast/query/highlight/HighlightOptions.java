package dev.holdfast.query.highlight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.search.highlight.SimpleHTMLEncoder;
import org.jspecify.annotations.Nullable;

/// How a field is highlighted.
///
/// @param type `unified`, `plain` or `fvh`
/// @param fragments how many; 0 for the whole field
/// @param matchesField whether only what was searched in the field itself is marked
/// @param query what to mark; null for the search's query
/// @param noMatchSize characters shown where nothing is marked
/// @param matchedFields other fields whose matches are marked too
/// @param scanner null for the type's own
/// @param analyzedOffsetMax characters looked at; -1 for the index's limit
public record HighlightOptions(
    String type,
    int fragmentSize,
    int fragments,
    boolean isByScore,
    List<String> preTags,
    List<String> postTags,
    boolean escapesHtml,
    boolean matchesField,
    @Nullable QueryClause query,
    int noMatchSize,
    int fragmentOffset,
    List<String> matchedFields,
    @Nullable String scanner,
    Locale locale,
    String boundaryChars,
    int boundaryScanMax,
    @Nullable String fragmenter,
    int phraseMax,
    int analyzedOffsetMax) {

  private static final List<String> TYPES = List.of("unified", "plain", "fvh");
  private static final List<String> SCANNERS = List.of("chars", "sentence", "word");
  private static final int STYLED_TAGS = 10;
  private static final int FRAGMENTS_MAX = 10_000;

  static final HighlightOptions DEFAULTS =
      new HighlightOptions(
          "unified",
          100,
          5,
          false,
          List.of("<em>"),
          List.of("</em>"),
          false,
          true,
          null,
          0,
          -1,
          List.of(),
          null,
          Locale.ROOT,
          ".,!? \t\n",
          20,
          null,
          256,
          -1);

  /// These options with what the object says.
  ///
  /// @param isOfField whether it is for one field, and may say what only one field can have
  HighlightOptions with(JsonObject json, QueryReader queries, boolean isOfField) {
    List<String> pre = json.has("pre_tags") ? json.strings("pre_tags") : preTags;
    List<String> post = json.has("post_tags") ? json.strings("post_tags") : postTags;
    if (json.has("pre_tags") && !json.has("post_tags")) {
      throw Refusal.badArgument("pre_tags are set but post_tags are not set");
    }
    if (pre.isEmpty() || post.isEmpty()) {
      throw Refusal.badArgument("[pre_tags] and [post_tags] must not be empty");
    }
    String schema = json.string("tags_schema");
    if (schema != null) {
      pre = tagsOf(schema);
      post = DEFAULTS.postTags;
    }
    String kind = json.string("type", type);
    if (!TYPES.contains(kind)) {
      throw Refusal.badArgument("unknown highlighter type [" + kind + "] for the field [_all]");
    }
    JsonNode asked = json.take("highlight_query");
    String locale = json.string("boundary_scanner_locale");
    int offsetMax = json.integer("max_analyzed_offset", analyzedOffsetMax);
    if (offsetMax < 1 && offsetMax != -1) {
      throw Refusal.badArgument("[max_analyzed_offset] must be a positive integer, or -1");
    }
    String boundaries = json.string("boundary_scanner");
    if (boundaries != null && !SCANNERS.contains(boundaries.toLowerCase(Locale.ROOT))) {
      throw Refusal.badArgument("Invalid boundary scanner type: " + boundaries);
    }
    var _ = json.bool("highlight_filter", true);
    JsonNode options = json.take("options");
    if (options != null) {
      var _ = JsonObject.of("options", options);
    }
    int count = json.integer("number_of_fragments", fragments);
    if (count < 0 || count > FRAGMENTS_MAX) {
      throw Refusal.badArgument(
          "[number_of_fragments] must be between [0] and [" + FRAGMENTS_MAX + "]");
    }
    String asFragments = json.string("fragmenter");
    int size = json.integer("fragment_size", fragmentSize);
    return new HighlightOptions(
        kind,
        size == -1 ? fragmentSize : size,
        count,
        json.has("order") ? "score".equalsIgnoreCase(json.string("order")) : isByScore,
        List.copyOf(pre),
        List.copyOf(post),
        json.has("encoder") ? "html".equals(json.string("encoder")) : escapesHtml,
        json.bool("require_field_match", matchesField),
        asked == null ? query : queries.read(asked),
        json.integer("no_match_size", noMatchSize),
        isOfField ? json.integer("fragment_offset", fragmentOffset) : fragmentOffset,
        isOfField && json.has("matched_fields")
            ? List.copyOf(json.strings("matched_fields"))
            : matchedFields,
        boundaries == null ? scanner : boundaries.toLowerCase(Locale.ROOT),
        locale == null ? this.locale : Locale.forLanguageTag(locale),
        json.string("boundary_chars", boundaryChars),
        json.integer("boundary_max_scan", boundaryScanMax),
        asFragments == null ? fragmenter : asFragments,
        json.integer("phrase_limit", phraseMax),
        offsetMax);
  }

  private static List<String> tagsOf(String schema) {
    return switch (schema) {
      case "default" -> DEFAULTS.preTags;
      case "styled" -> {
        List<String> tags = new ArrayList<>();
        for (int i = 1; i <= STYLED_TAGS; i++) {
          tags.add("<em class=\"hlt" + i + "\">");
        }
        yield tags;
      }
      default -> throw Refusal.badArgument("Unknown tag schema [" + schema + "]");
    };
  }

  /// Text as it is shown.
  String encode(String text) {
    return escapesHtml ? new SimpleHTMLEncoder().encodeText(text) : text;
  }
}
