package dev.holdfast.query.clause.vector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Vectors;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.document.PackedFloats;
import dev.holdfast.document.field.vector.VectorLength;
import dev.holdfast.query.ClauseBody;
import dev.holdfast.query.MinScoreQuery;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.clause.term.FieldQueries;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.join.BitSetProducer;
import org.jspecify.annotations.Nullable;

/// The documents whose vectors are nearest to one.
///
/// @param k how many; null for as many as there are candidates
/// @param candidates looked at in each segment
/// @param filter what they must match before
/// @param similarity the least; null for any
public record KnnClause(
    String field,
    JsonNode vector,
    @Nullable Integer k,
    int candidates,
    List<QueryClause> filter,
    @Nullable Float similarity)
    implements QueryClause {
  private static final int CANDIDATES_MAX = 10_000;
  private static final double CANDIDATES_FACTOR = 1.5;
  private static final float UNIT_TOLERANCE = 1e-3f;
  private static final int PREVIEW_MAX = 5;

  public static QueryClause parse(ClauseBody body, QueryReader inner) {
    ClauseBody.Options of = body.options();
    return of.finish(read(of, inner, null));
  }

  /// @param usualK when the request does not say; null for none
  static KnnClause read(ClauseBody.Options of, QueryReader inner, @Nullable Integer usualK) {
    JsonObject json = of.json();
    JsonNode named = json.required("field");
    if (!named.isTextual()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "[knn] field doesn't support values of this type: " + named);
    }
    String field = named.asText();
    JsonNode vector = json.take("query_vector");
    JsonNode builder = json.take(VectorBuilder.NAME);
    if (builder != null) {
      throw VectorBuilder.refused(builder, vector != null);
    }
    if (vector == null || vector.isNull()) {
      throw Refusal.badArgument("either [query_vector_builder] or [query_vector] must be provided");
    }
    vector = numbers(vector);
    Integer k = json.has("k") ? (Integer) json.integer("k", 10) : usualK;
    int usual = k == null ? 15 : usualCandidates(k);
    int candidates = json.integer("num_candidates", usual);
    JsonNode least = json.take("similarity");
    if (least != null && least.isNull()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[knn] similarity doesn't support values of type: " + JsonObject.token(least));
    }
    Float similarity = least == null ? null : (Float) (float) json.doubleValue("similarity", 0);
    checkHints(json);
    if (k != null && k < 1) {
      throw Refusal.badArgument("[k] must be greater than 0");
    }
    if (candidates < 1 || (k != null && candidates < k)) {
      throw Refusal.badArgument("[num_candidates] cannot be less than [k]");
    }
    if (candidates > CANDIDATES_MAX) {
      throw Refusal.badArgument("[num_candidates] cannot exceed [" + CANDIDATES_MAX + "]");
    }
    return new KnnClause(
        field, vector, k, candidates, inner.readAll(json.take("filter")), similarity);
  }

  /// What Elasticsearch is told of vectors that it keeps abridged; here they are whole.
  private static void checkHints(JsonObject json) {
    JsonNode given = json.take("rescore_vector");
    if (given != null) {
      JsonObject again = JsonObject.ofKinds("rescore_vector", given);
      double oversample = again.doubleValue("oversample", 1);
      again.done();
      if (!again.has("oversample")) {
        throw Refusal.badArgument("Required [oversample]");
      }
      if (oversample != 0 && oversample < 1) {
        throw Refusal.badArgument("[oversample] must be >= 1 or 0");
      }
    }
    double visited = json.doubleValue("visit_percentage", 0);
    if (visited < 0 || visited > 100) {
      throw Refusal.badArgument("[visit_percentage] must be between 0 and 100");
    }
  }

  /// The vector with numbers that are texts as numbers.
  private static JsonNode numbers(JsonNode vector) {
    if (vector.isTextual()) {
      return vector;
    }
    ArrayNode numbers = Json.MAPPER.createArrayNode();
    for (JsonNode element : vector.isNumber() ? List.of(vector) : vector) {
      numbers.add(element.isTextual() ? number(element.asText()) : element);
    }
    if (!(vector.isArray() || vector.isNumber())
        || numbers.valueStream().anyMatch(element -> !element.isNumber())) {
      throw new Refusal(
          ErrorType.PARSING, "[query_vector] must be an array of numbers, or bytes as text");
    }
    return numbers;
  }

  private static JsonNode number(String text) {
    try {
      return DoubleNode.valueOf(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return TextNode.valueOf(text);
    }
  }

  /// Candidates when the request does not say.
  static int usualCandidates(int k) {
    return (int) Math.min(CANDIDATES_MAX, Math.round(k * CANDIDATES_FACTOR));
  }

  @Override
  public Query toLucene(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      return FieldQueries.unmapped(field);
    }
    Vectors vectors = type.vectors();
    if (vectors == null) {
      throw Refusal.badArgument("[knn] queries are only supported on [dense_vector] fields");
    }
    if (!vectors.isIndexed()) {
      throw Refusal.badArgument(
          "to perform knn search on field ["
              + field
              + "], its mapping must have [index] set to [true]");
    }
    String path = context.mapping().nestedScope(context.path(field));
    Query found = path == null ? found(context, vectors) : ofObjects(context, vectors, path);
    return similarity == null ? found : new MinScoreQuery(found, score(vectors, similarity));
  }

  private Query found(QueryContext context, Vectors vectors) {
    String own = context.path(field);
    Query narrowed = filter(context);
    return isFloat(vectors)
        ? new Floats(own, floats(vectors), candidates, nearest(), narrowed)
        : new Bytes(own, bytes(vectors), candidates, nearest(), narrowed);
  }

  private Query ofObjects(QueryContext context, Vectors vectors, String path) {
    String own = context.path(field);
    @Nullable Query narrowed = NestedVectors.filter(filter, context, path);
    BitSetProducer holders = NestedVectors.holders(context, path);
    return isFloat(vectors)
        ? new NestedVectors.Floats(own, floats(vectors), narrowed, candidates, nearest(), holders)
        : new NestedVectors.Bytes(own, bytes(vectors), narrowed, candidates, nearest(), holders);
  }

  /// The same without a limit to the nearest: everything that has a vector, scored by it.
  public QueryClause scored() {
    return context -> {
      FieldType type = context.type(field);
      Vectors vectors = type == null ? null : type.vectors();
      if (vectors == null) {
        return FieldQueries.unmapped(field);
      }
      String own = context.path(field);
      boolean isFloat = isFloat(vectors);
      Query all =
          new FunctionScoreQuery(
              new FieldExistsQuery(own),
              new VectorSimilarityQuery(
                  own, isFloat ? floats(vectors) : null, isFloat ? null : bytes(vectors)));
      return similarity == null ? all : new MinScoreQuery(all, score(vectors, similarity));
    };
  }

  private int nearest() {
    return k == null ? candidates : k;
  }

  private static boolean isFloat(Vectors vectors) {
    return vectors.elements().equals("float");
  }

  private Query filter(QueryContext context) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    filter.forEach(one -> all.add(one.toLucene(context), Occur.FILTER));
    if (context.mapping().hasNested()) {
      all.add(NestedDocuments.roots(), Occur.FILTER);
    }
    return all.build();
  }

  private void requireDimensions(Vectors vectors, int given) {
    if (vectors.dimensions() != 0 && vectors.dimensions() != given) {
      throw Refusal.badArgument(
          "the query vector has a different dimension ["
              + given
              + "] than the index vectors ["
              + vectors.dimensions()
              + "]");
    }
  }

  private float[] floats(Vectors vectors) {
    float[] floats =
        vector.isTextual()
            ? ofText(vector.asText(), vectors.dimensions())
            : new float[vector.size()];
    requireDimensions(vectors, floats.length);
    for (int i = 0; i < vector.size(); i++) {
      floats[i] = vector.get(i).floatValue();
    }
    requireMagnitude(vectors, VectorLength.squared(floats), floats);
    return floats;
  }

  /// Bytes as hexadecimal digits, or else floats as Base64.
  private static float[] ofText(String text, int dimensions) {
    boolean isHex = text.length() % 2 == 0 && text.chars().allMatch(HexFormat::isHexDigit);
    if (!isHex || text.isEmpty()) {
      return PackedFloats.read(text, dimensions);
    }
    byte[] bytes = HexFormat.of().parseHex(text);
    float[] floats = new float[bytes.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = bytes[i];
    }
    return floats;
  }

  private static void requireMagnitude(Vectors vectors, float squared, float[] vector) {
    String fault =
        switch (vectors.similarity()) {
          case COSINE ->
              squared == 0
                  ? "The [cosine] similarity does not support vectors with zero magnitude."
                  : "";
          case DOT_PRODUCT ->
              Math.abs(squared - 1) > UNIT_TOLERANCE
                  ? "The [dot_product] similarity can only be used with unit-length vectors."
                  : "";
          case EUCLIDEAN, MAXIMUM_INNER_PRODUCT -> "";
        };
    if (!Float.isFinite(squared)) {
      fault = "the magnitude of the vector is infinite: its numbers are too large for floats.";
    }
    if (!fault.isEmpty()) {
      float[] shown = Arrays.copyOf(vector, Math.min(PREVIEW_MAX, vector.length));
      throw Refusal.badArgument(fault + " Preview of invalid vector: " + Arrays.toString(shown));
    }
  }

  private byte[] bytes(Vectors vectors) {
    byte[] bytes;
    if (vector.isTextual()) {
      try {
        bytes = HexFormat.of().parseHex(vector.asText());
      } catch (IllegalArgumentException e) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT,
            "failed to parse field [query_vector]: [" + e.getMessage() + "]",
            e);
      }
    } else {
      bytes = new byte[vector.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) vector.get(i).intValue();
      }
    }
    boolean isBit = vectors.elements().equals("bit");
    requireDimensions(vectors, isBit ? bytes.length * Byte.SIZE : bytes.length);
    return bytes;
  }

  /// The score that a similarity stands for.
  private static float score(Vectors vectors, float similarity) {
    if (vectors.elements().equals("bit")) {
      return (vectors.dimensions() - similarity) / vectors.dimensions();
    }
    return switch (vectors.similarity()) {
      case EUCLIDEAN -> 1 / (1 + similarity * similarity);
      case COSINE -> (1 + similarity) / 2;
      case DOT_PRODUCT ->
          vectors.elements().equals("byte")
              ? 0.5f + similarity / (vectors.dimensions() * (1 << 15))
              : (1 + similarity) / 2;
      case MAXIMUM_INNER_PRODUCT -> similarity < 0 ? 1 / (1 - similarity) : similarity + 1;
    };
  }

  @Override
  public List<QueryClause> children() {
    return new ArrayList<>(filter);
  }

  /// Lucene's search among floats, of which only the nearest of all segments are kept.
  private static final class Floats extends KnnFloatVectorQuery {
    private final int nearest;

    Floats(String field, float[] vector, int candidates, int nearest, Query filter) {
      super(field, vector, candidates, filter.toString().isEmpty() ? null : filter);
      this.nearest = nearest;
    }

    @Override
    protected TopDocs mergeLeafResults(TopDocs[] perSegment) {
      return TopDocs.merge(nearest, perSegment);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return super.equals(other) && other instanceof Floats floats && floats.nearest == nearest;
    }

    @Override
    public int hashCode() {
      return 31 * super.hashCode() + nearest;
    }
  }

  /// The same among bytes.
  private static final class Bytes extends KnnByteVectorQuery {
    private final int nearest;

    Bytes(String field, byte[] vector, int candidates, int nearest, Query filter) {
      super(field, vector, candidates, filter.toString().isEmpty() ? null : filter);
      this.nearest = nearest;
    }

    @Override
    protected TopDocs mergeLeafResults(TopDocs[] perSegment) {
      return TopDocs.merge(nearest, perSegment);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return super.equals(other) && other instanceof Bytes bytes && bytes.nearest == nearest;
    }

    @Override
    public int hashCode() {
      return 31 * super.hashCode() + nearest;
    }
  }
}
