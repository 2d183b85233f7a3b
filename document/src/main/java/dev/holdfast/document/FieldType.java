package dev.holdfast.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.codec.vector.VectorLayout;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.suggest.document.CompletionAnalyzer;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// A kind of field: reads JSON values into columns, makes Lucene queries, and says how its doc
/// values are read. One file a kind, one line in [FieldTypes]. Immutable.
///
/// `field` parameters are full paths (`user.name`); JSON values are what the client sent.
public interface FieldType {
  /// Elasticsearch's name: `keyword`.
  String typeName();

  /// The mapping of this field as `GET _mapping` shows it, `type` first, defaults left out, without
  /// `fields`.
  ObjectNode toJson();

  /// This type after a mapping update asked for `changed`.
  ///
  /// @throws dev.holdfast.world.Refusal `illegal_argument_exception` when a parameter that can't
  ///   change differs
  FieldType merge(String field, FieldType changed);

  /// Columns for the values of this field in one batch.
  FieldColumns newColumns(String field);

  /// Whether objects are values of this field (`{"lat": 1, "lon": 2}`), given whole to the columns.
  default boolean readsObjects() {
    return false;
  }

  /// Whether arrays are values of this field (`[lon, lat]`), given whole to the columns.
  default boolean readsArrays() {
    return false;
  }

  /// Whether the names of fields like this go into `_field_names`, because nothing else tells which
  /// documents have a value.
  default boolean needsFieldName() {
    return false;
  }

  /// The mapping of this field after its first value in any document, or null when values teach it
  /// nothing (all kinds but a `constant_keyword` without a value).
  default @Nullable ObjectNode learn(JsonNode value) {
    return null;
  }

  /// Whether [#learn] would answer.
  default boolean learns() {
    return false;
  }

  /// Fields of its own below it that get its values too (`_2gram` of a `search_as_you_type`), what
  /// follows this one's path (`._2gram`); never shown in the mapping.
  default SortedMap<String, FieldType> parts() {
    return Collections.emptySortedMap();
  }

  /// The type of a field below this one that no mapping names (a key of a `flattened`), or null
  /// when there are none.
  ///
  /// @param field full path of this field
  /// @param key the rest of the path, maybe with dots
  default @Nullable FieldType under(String field, String key) {
    return null;
  }

  /// What kinds of documents a `join` field relates; null for other kinds.
  default @Nullable Relations relations() {
    return null;
  }

  /// What `knn` needs to know of a `dense_vector`; null for other kinds.
  default @Nullable Vectors vectors() {
    return null;
  }

  /// What suggesters need to know of a `completion`; null for other kinds.
  default @Nullable Completion completion() {
    return null;
  }

  /// How Lucene writes vectors of this kind; null when it has none.
  default @Nullable KnnVectorsFormat vectorsFormat() {
    return null;
  }

  /// How Lucene writes terms of this kind; null for the usual way.
  default @Nullable PostingsFormat postingsFormat() {
    return null;
  }

  /// Whether the terms of a document are exactly its doc values, so that they need to be kept once
  /// only.
  default boolean hasTermsAsValues() {
    return false;
  }

  /// A field of vectors.
  ///
  /// @param dimensions of a vector as clients give it; 0 before the first
  /// @param elements `float`, `byte` or `bit` (eight a byte in Lucene)
  /// @param isIndexed whether `knn` searches find it; else it has binary doc values only
  record Vectors(
      int dimensions,
      String elements,
      VectorSimilarityFunction similarity,
      boolean isIndexed,
      VectorLayout layout) {}

  /// A field of suggestions: Lucene's `SuggestField`, or `ContextSuggestField` when it has
  /// contexts; the context of the n-th of them begins with the character n.
  ///
  /// @param search analyses what is typed, ready for Lucene's completion queries
  record Completion(CompletionAnalyzer search, List<Context> contexts) {}

  /// What suggestions are filtered by.
  ///
  /// @param precision of places, in characters of their geohash; 0 for categories
  /// @param path the field of the document that has the values, null when suggestions have them
  record Context(String name, int precision, @Nullable String path) {}

  /// Where `rank_feature` queries find this field's values; null for other kinds.
  default @Nullable Feature feature(String field) {
    return null;
  }

  /// A term whose frequency is a number (Lucene's `FeatureField`).
  ///
  /// @param field Lucene's field
  /// @param name the term
  /// @param isPositive whether more is better; else the reciprocal is stored
  record Feature(String field, String name, boolean isPositive) {}

  /// Whether documents can be found by it (inverted index, points, or doc values).
  boolean isSearchable();

  /// How its doc values are stored; [ValuesKind#NONE] when it has none.
  ValuesKind values();

  /// What its values in `_source` are, whether they are doc values, too, or not.
  default ValuesKind sourceValues() {
    return values();
  }

  /// How doc values and terms of this field are shown and parsed.
  ///
  /// @param pattern the request's `format`, null for the field's own
  /// @param zone the request's `time_zone`, null for UTC
  /// @throws dev.holdfast.world.Refusal when the kind takes no format and one is given
  ValueFormat format(@Nullable String pattern, java.time.@Nullable ZoneId zone);

  /// The analyser for query text, or null when the field's values are not analysed (then
  /// [#termQuery] is what `match` means).
  default @Nullable Analyzer searchAnalyzer() {
    return null;
  }

  /// The analyser that made the field's terms out of its values, or null when they are not
  /// analysed.
  default @Nullable Analyzer indexAnalyzer() {
    return searchAnalyzer();
  }

  /// Whether queries of texts look for each word of theirs, though values of the field are not
  /// analysed.
  default boolean splitsWords() {
    return false;
  }

  /// The analyser for phrases in query text.
  default @Nullable Analyzer quoteAnalyzer() {
    return searchAnalyzer();
  }

  /// Documents with exactly this value.
  ///
  /// @param nowMillis what `now` means in date math
  /// @throws dev.holdfast.world.Refusal `query_shard_exception` or `illegal_argument_exception`
  ///   when the value can't be one of this field
  Query termQuery(String field, JsonNode value, long nowMillis);

  /// Documents with any of these values.
  Query termsQuery(String field, List<JsonNode> values, long nowMillis);

  /// Documents with a value in a range.
  Query rangeQuery(String field, Range range, long nowMillis);

  /// Documents with any value.
  Query existsQuery(String field);

  /// The term whose prefix, wildcard or fuzzy expansion a query walks: true for keyword-like and
  /// text fields.
  default boolean hasTerms() {
    return false;
  }

  /// Documents with a term that begins with a text, for kinds whose terms are not those of Lucene's
  /// field of that name; null for others, whose terms [#normalize] gives.
  default @Nullable Query prefixQuery(
      String field, String text, MultiTermQuery.RewriteMethod rewrite) {
    return null;
  }

  /// The term of a text, for kinds whose terms are not those of Lucene's field of that name; null
  /// for others, whose terms [#normalize] gives.
  default @Nullable Term ownTerm(String field, String text) {
    return null;
  }

  /// Whether its terms by document lie elsewhere than in doc values of Lucene's field of that name:
  /// only [TermValues] finds them then.
  default boolean isVirtual() {
    return false;
  }

  /// Whether all documents of an index have the same value, which no document holds: [#constant].
  default boolean isConstant() {
    return false;
  }

  /// The value of all documents, for kinds that hold it themselves; null where there is none yet,
  /// and for other kinds.
  default @Nullable String constant() {
    return null;
  }

  /// Whether the source does not show what its values are, but doc values do.
  default boolean isDerived() {
    return false;
  }

  /// Whether nothing but the source has its values: a field of the mapping's `runtime`, or of a
  /// search's `runtime_mappings`.
  default boolean isRuntime() {
    return false;
  }

  /// The script that makes its values; null where documents have them.
  default @Nullable ScriptedValues scripted() {
    return null;
  }

  /// Whether values are kept to be fetched by `stored_fields`.
  default boolean isStored() {
    return false;
  }

  /// Whether doc values of this kind say all that a synthetic `_source` shows of a field.
  default boolean isRebuilt() {
    return false;
  }

  /// A term of doc values as a synthetic `_source` shows it.
  default JsonNode rebuilt(BytesRef term) {
    return TextNode.valueOf(format(null, null).toText(term));
  }

  /// A value as a synthetic `_source` keeps it, for kinds that have a form of their own there; null
  /// for kinds whose values are kept as they came.
  ///
  /// @param before what is kept already, of another object of an array; null for nothing
  default @Nullable JsonNode keptSource(@Nullable JsonNode before, JsonNode value) {
    return null;
  }

  /// What of its values a synthetic `_source` keeps as they came: `none`, `arrays` or `all`; null
  /// for what the index says.
  default @Nullable String sourceKeep() {
    return null;
  }

  /// Whether series of an index of time series are told apart by it.
  default boolean isDimension() {
    return false;
  }

  /// The keys of a `flattened` field that series are told apart by.
  default List<String> dimensionKeys() {
    return List.of();
  }

  /// What it measures in an index of time series: `gauge`, `counter` or `position`; null for
  /// nothing.
  default @Nullable String metric() {
    return null;
  }

  /// The metrics that a value of this kind is made of, of an `aggregate_metric_double`; none for
  /// other kinds.
  default List<String> summaries() {
    return List.of();
  }

  /// Lucene's field of one of [#summaries]; null for others.
  default @Nullable String summaryField(String field, String metric) {
    return null;
  }

  /// What scores this field; null for the usual way, BM25.
  default @Nullable Similarity similarity() {
    return null;
  }

  /// Normalises text as the field's terms are (a keyword's normaliser, a text field's analyser for
  /// multi-term queries).
  default String normalize(String text) {
    return text;
  }

  /// The ends of a `range` query.
  ///
  /// @param from null for open
  /// @param to null for open
  /// @param format the query's `format`, null for the field's
  /// @param zone the query's `time_zone`, null for UTC
  /// @param relation of the values of range fields to this range
  record Range(
      @Nullable JsonNode from,
      boolean isFromInclusive,
      @Nullable JsonNode to,
      boolean isToInclusive,
      @Nullable String format,
      java.time.@Nullable ZoneId zone,
      Relation relation) {
    public Range(
        @Nullable JsonNode from,
        boolean isFromInclusive,
        @Nullable JsonNode to,
        boolean isToInclusive,
        @Nullable String format,
        java.time.@Nullable ZoneId zone) {
      this(from, isFromInclusive, to, isToInclusive, format, zone, Relation.INTERSECTS);
    }
  }

  /// How a value that is a range lies to the range of a query.
  enum Relation {
    INTERSECTS,
    CONTAINS,
    WITHIN
  }
}
