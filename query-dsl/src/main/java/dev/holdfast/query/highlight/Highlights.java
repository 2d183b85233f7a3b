package dev.holdfast.query.highlight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.FetchedField;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// Highlights the hits of one shard.
public final class Highlights {
  /// Kinds of fields that a pattern means; others are highlighted when they are named.
  private static final Set<String> MATCHED_BY_PATTERNS =
      Set.of("text", "keyword", "match_only_text");

  private final QueryContext context;
  private final Query query;
  private final Map<String, HighlightOptions> fields = new LinkedHashMap<>();
  private final Map<HighlightOptions, Query> queries = new LinkedHashMap<>();
  private final Map<String, FetchedField> fetched = new HashMap<>();
  private final UnifiedHighlights unified = new UnifiedHighlights();

  /// @param query the search's own
  public Highlights(HighlightRequest request, QueryContext context, Query query) {
    this.context = context;
    this.query = query;
    for (HighlightRequest.FieldOptions asked : request.fields()) {
      boolean isPattern = asked.pattern().indexOf('*') >= 0;
      for (String field : context.mapping().matching(asked.pattern())) {
        FieldType type = context.type(field);
        if (type != null && (!isPattern || MATCHED_BY_PATTERNS.contains(type.typeName()))) {
          fields.put(field, asked.options());
        }
      }
    }
  }

  /// Whether any field is asked for whose values are in the source.
  public boolean readsSource() {
    return !fields.isEmpty();
  }

  /// The highlights of a hit by field; fields without any are left out.
  public Map<String, List<String>> of(@Nullable String id, int doc, JsonNode source)
      throws IOException {
    Map<String, List<String>> highlights = new LinkedHashMap<>();
    for (Map.Entry<String, HighlightOptions> entry : fields.entrySet()) {
      String field = context.path(entry.getKey()); // an alias has the values of its field
      FieldType type = context.type(field);
      StopSignal.look();
      List<String> values = type == null ? List.of() : values(source, field);
      if (type == null || values.isEmpty()) {
        continue;
      }
      HighlightOptions options = entry.getValue();
      Query asked = queryOf(options);
      HighlightTarget target =
          new HighlightTarget(
              context,
              id == null ? "" : id,
              doc,
              field,
              type,
              values,
              Unnested.of(asked),
              !Unnested.of(asked).equals(asked),
              options);
      List<String> found =
          switch (options.type()) {
            case "plain" -> PlainHighlights.of(target);
            case "fvh" -> VectorHighlights.of(target);
            default -> unified.of(target);
          };
      boolean showsBeginning = options.noMatchSize() > 0 && !options.type().equals("fvh");
      if (found.isEmpty() && showsBeginning) {
        String beginning = beginning(target);
        found = beginning.isEmpty() ? List.of() : List.of(options.encode(beginning));
      }
      if (!found.isEmpty()) {
        highlights.put(entry.getKey(), found);
      }
    }
    return highlights;
  }

  private Query queryOf(HighlightOptions options) {
    var own = options.query();
    return own == null ? query : queries.computeIfAbsent(options, _ -> own.toLucene(context));
  }

  /// The values as the field means them: those copied to it too, normalised, and what stands for
  /// null.
  private List<String> values(JsonNode source, String field) {
    FetchedField reader =
        fetched.computeIfAbsent(field, name -> new FetchedField(context, name, null));
    return reader.of(source, new ArrayList<>()).stream()
        .filter(value -> !(value instanceof ContainerNode))
        .map(value -> value instanceof JsonNode node ? node.asText() : value.toString())
        .filter(value -> !value.isEmpty())
        .toList();
  }

  private static String beginning(HighlightTarget target) throws IOException {
    return target.options().type().equals("plain")
        ? wholeTokens(target)
        : wholeWords(target.values().getFirst(), target.options());
  }

  /// The tokens that end before the limit; none where the first one does not.
  private static String wholeTokens(HighlightTarget target) throws IOException {
    String value = target.values().getFirst();
    int end = 0;
    try (TokenStream tokens = target.analyzer().tokenStream(target.field(), value)) {
      OffsetAttribute offsets = tokens.addAttribute(OffsetAttribute.class);
      tokens.reset();
      while (tokens.incrementToken() && offsets.endOffset() <= target.options().noMatchSize()) {
        end = offsets.endOffset();
      }
    }
    return value.substring(0, end);
  }

  private static String wholeWords(String value, HighlightOptions options) {
    if (value.length() <= options.noMatchSize()) {
      return value;
    }
    BreakIterator words = BreakIterator.getWordInstance(options.locale());
    words.setText(value);
    if (options.type().equals("unified")) {
      // To the end of the word that the limit is in.
      int after = words.following(options.noMatchSize());
      String whole = value.substring(0, after == BreakIterator.DONE ? value.length() : after);
      return options.fragments() == 0 ? whole : whole.strip();
    }
    int end = words.preceding(options.noMatchSize() + 1);
    return value.substring(0, end <= 0 ? options.noMatchSize() : end).strip();
  }
}
