package dev.holdfast.query.clause.specialized;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.fulltext.FieldWeights;
import dev.holdfast.query.clause.term.MinimumShouldMatch;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/// Documents with the telling words of some texts or documents. Documents named by id were replaced
/// by their content before the query reached the shards.
///
/// @param fields null for all
/// @param isInclusive whether the documents liked are hits too
public record MoreLikeThisClause(
    @Nullable List<String> fields,
    List<Item> like,
    List<Item> unlike,
    Selection selection,
    String minimumShouldMatch,
    boolean isInclusive,
    boolean failsOnUnsupported)
    implements QueryClause {

  /// A text or a document.
  ///
  /// @param text null for a document
  /// @param document its content; null when there is none
  /// @param id null for an artificial document
  /// @param fields which of the document's count; null for those of the query
  /// @param analyzers by the fields that they read; others are read by the query's, or their own
  record Item(
      @Nullable String text,
      @Nullable JsonNode document,
      @Nullable String index,
      @Nullable String id,
      @Nullable List<String> fields,
      Map<String, String> analyzers) {}

  /// Which words are telling.
  ///
  /// @param docFrequencyMax 0 and less for any
  /// @param lengthMax 0 for any
  /// @param boostTerms 0 for words that count alike
  record Selection(
      int termsMax,
      int termFrequencyMin,
      int docFrequencyMin,
      int docFrequencyMax,
      int lengthMin,
      int lengthMax,
      Set<String> stopWords,
      float boostTerms,
      @Nullable String analyzer) {}

  public static QueryClause parse(ClauseBody body) {
    ClauseBody.Options of = body.options();
    JsonObject json = of.json();
    if (json.orNull("like") == null) {
      throw QueryReader.parsing("more_like_this requires 'like' to be specified");
    }
    List<Item> like = items(json, "like");
    if (like.isEmpty()) {
      throw QueryReader.parsing("more_like_this requires 'like' to be specified");
    }
    boolean hasFields = json.has("fields");
    List<String> fields =
        hasFields && !json.node().path("fields").isNull() ? json.list("fields") : List.of();
    if (hasFields && fields.isEmpty()) {
      throw QueryReader.parsing("more_like_this requires 'fields' to be non-empty");
    }
    Selection selection =
        new Selection(
            json.integer("max_query_terms", 25),
            json.integer("min_term_freq", 2),
            json.integer("min_doc_freq", 5),
            json.integer("max_doc_freq", Integer.MAX_VALUE),
            json.integer("min_word_length", 0),
            json.integer("max_word_length", 0),
            new LinkedHashSet<>(stopWords(json)),
            (float) json.doubleValue("boost_terms", 0),
            json.string("analyzer"));
    if (selection.termsMax <= 0) {
      throw Refusal.badArgument("requires 'maxQueryTerms' to be greater than 0");
    }
    if (selection.boostTerms < 0) {
      throw Refusal.badArgument("boost must be a positive float, got " + selection.boostTerms);
    }
    String minimum = json.string("minimum_should_match", "30%");
    MinimumShouldMatch.check(minimum);
    return of.finish(
        new MoreLikeThisClause(
            hasFields ? List.copyOf(fields) : null,
            like,
            items(json, "unlike"),
            selection,
            minimum,
            json.bool("include", false),
            json.bool("fail_on_unsupported_field", true)));
  }

  private static List<String> stopWords(JsonObject json) {
    return json.orNull("stop_words") == null ? List.of() : json.list("stop_words");
  }

  private static List<Item> items(JsonObject json, String name) {
    JsonNode given = json.take(name);
    List<Item> items = new ArrayList<>();
    if (given == null || given.isNull()) {
      return items;
    }
    for (JsonNode one : given.isArray() ? given : List.of(given)) {
      if (one.isObject()) {
        items.add(item(one));
      } else if (one.isValueNode() && !one.isNull()) {
        items.add(new Item(one.asText(), null, null, null, null, Map.of()));
      } else {
        throw Refusal.badArgument(
            "Content of 'like' parameter should either be a string or an object");
      }
    }
    return List.copyOf(items);
  }

  private static Item item(JsonNode node) {
    JsonObject json = JsonObject.of("more_like_this", node);
    JsonNode document = json.take("doc");
    boolean hasFields = json.has("fields");
    List<String> fields = json.strings("fields");
    Item item =
        new Item(
            null,
            document,
            json.string("_index"),
            json.string("_id"),
            hasFields ? List.copyOf(fields) : null,
            analyzers(json.orNull("per_field_analyzer")));
    // Where it is, and of which version, was asked before the query reached the shard.
    for (String asked : List.of("routing", "version", "version_type")) {
      var _ = json.take(asked);
    }
    if (!json.rest().isEmpty()) {
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse More Like This item. unknown field [" + json.rest().getFirst() + "]");
    }
    if (document == null && item.id == null) {
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse More Like This item. either [id] or [doc] can be specified, but not"
              + " both!");
    }
    return item;
  }

  private static Map<String, String> analyzers(@Nullable JsonNode given) {
    Map<String, String> analyzers = new HashMap<>();
    if (given == null) {
      return analyzers;
    }
    if (!given.isObject()) {
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse More Like This item. [per_field_analyzer] must be an object");
    }
    for (Map.Entry<String, JsonNode> one : given.properties()) {
      if (!one.getValue().isTextual()) {
        throw new Refusal(
            ErrorType.PARSE,
            "expecting the analyzer at ["
                + one.getKey()
                + "] to be a String, but found ["
                + one.getValue()
                + "] instead");
      }
      analyzers.put(one.getKey(), one.getValue().asText());
    }
    return analyzers;
  }

  @Override
  public Query toLucene(QueryContext context) {
    List<String> used = new ArrayList<>();
    if (fields == null) {
      refuseTexts();
      for (String field : FieldWeights.resolve(context, List.of()).boosts().keySet()) {
        if (isSupported(context.type(field))) {
          used.add(field);
        }
      }
    } else {
      for (String field : fields) {
        FieldType type = context.type(field);
        boolean isFirst = field.equals(fields.getFirst()); // its analyzer reads the texts
        if (type == null && isFirst && selection.analyzer() == null && hasText()) {
          throw Refusal.badArgument("No analyzer configured for field " + field);
        }
        if (type != null && !isSupported(type) && failsOnUnsupported) {
          throw Refusal.badArgument(
              "more_like_this only supports text/keyword fields: [" + field + "]");
        }
        if (type != null && isSupported(type)) {
          used.add(context.path(field));
        }
      }
    }
    if (used.isEmpty()) {
      return new MatchNoDocsQuery("no fields to compare");
    }
    return new MoreLikeThisQuery(context, this, used);
  }

  /// The query for the telling words, as frequent as they are in a reader.
  Query words(QueryContext context, List<String> used, IndexReader reader) {
    List<Query> parts = new InterestingTerms(context, this, used, reader).queries();
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    parts.forEach(part -> all.add(part, Occur.SHOULD));
    if (!isInclusive) {
      excludeLiked(context, all);
    }
    return parts.isEmpty() ? new MatchNoDocsQuery("no telling words") : all.build();
  }

  private boolean hasText() {
    return Stream.concat(like.stream(), unlike.stream()).anyMatch(item -> item.text() != null);
  }

  private void refuseTexts() {
    if (hasText()) {
      throw new Refusal(
          ErrorType.QUERY_SHARD,
          "failed to create query: [more_like_this] query cannot infer the field to analyze the"
              + " free text, you should update the [index.query.default_field] index setting to a"
              + " field that exists in the mapping or set the [fields] option in the query.");
    }
  }

  private void excludeLiked(QueryContext context, BooleanQuery.Builder all) {
    for (Item item : like) {
      if (item.id != null && (item.index == null || item.index.equals(context.index()))) {
        all.add(new TermQuery(new Term(MetadataFields.ID, item.id)), Occur.MUST_NOT);
      }
    }
  }

  static boolean isSupported(@Nullable FieldType type) {
    return type != null && type.hasTerms();
  }
}
