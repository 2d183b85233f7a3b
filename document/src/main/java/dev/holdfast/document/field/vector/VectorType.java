package dev.holdfast.document.field.vector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.codec.vector.VectorLayout;
import dev.holdfast.codec.vector.VectorLayout.Quantization;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.UnqueryableField;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// `dense_vector`: vectors of floats, bytes or bits, found by what is near them.
public final class VectorType implements UnqueryableField {
  private static final int BBQ_DIMENSIONS_MIN = 64;
  private static final int BBQ_DEFAULT_FROM = 384;
  private static final List<String> SIMILARITIES =
      List.of("cosine", "dot_product", "l2_norm", "max_inner_product");

  private final FieldParameters parameters;
  private final VectorElements elements;
  private final Vectors vectors;

  public VectorType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    String given =
        parameters.choice("element_type", "float", List.of("float", "byte", "bit"), Change.FIXED);
    elements = VectorElements.valueOf(given.toUpperCase(Locale.ROOT));
    int dimensions = parameters.integer("dims", 0, Change.FIXED);
    checkDimensions(dimensions, parameters.has("dims"));
    boolean isIndexed = parameters.shownBool("index", true);
    String usual = elements == VectorElements.BIT ? "l2_norm" : "cosine";
    if (!isIndexed && (parameters.has("similarity") || parameters.has("index_options"))) {
      throw FieldParameters.mapperParsing(
          "Field ["
              + (parameters.has("similarity") ? "similarity" : "index_options")
              + "] can only be specified for a field of type [dense_vector] when it is indexed");
    }
    String similarity = isIndexed ? parameters.shownString("similarity", usual) : usual;
    if (!SIMILARITIES.contains(similarity)) {
      throw FieldParameters.mapperParsing(
          "Unknown value ["
              + similarity
              + "] for field [similarity] - accepted values are [cosine, dot_product, l2_norm,"
              + " max_inner_product]");
    }
    if (elements == VectorElements.BIT && !similarity.equals("l2_norm")) {
      throw FieldParameters.mapperParsing(
          "The [" + similarity + "] similarity is not supported for bit vectors");
    }
    VectorOptions options =
        isIndexed ? VectorOptions.read(parameters, elements, dimensions) : VectorOptions.NONE;
    parameters.accept("store");
    parameters.done();
    vectors = new Vectors(dimensions, given, function(similarity), isIndexed, options.layout());
  }

  private void checkDimensions(int dimensions, boolean isGiven) {
    int most =
        elements == VectorElements.BIT
            ? VectorLayout.DIMENSIONS_MAX * Byte.SIZE
            : VectorLayout.DIMENSIONS_MAX;
    if (isGiven && (dimensions < 1 || dimensions > most)) {
      throw FieldParameters.mapperParsing(
          "The number of dimensions should be in the range [1, "
              + most
              + "] but was ["
              + dimensions
              + "]");
    }
    if (elements == VectorElements.BIT && dimensions % Byte.SIZE != 0) {
      throw FieldParameters.mapperParsing("[dims] must be a multiple of 8 for bit vectors");
    }
  }

  private static VectorSimilarityFunction function(String similarity) {
    return switch (similarity) {
      case "dot_product" -> VectorSimilarityFunction.DOT_PRODUCT;
      case "l2_norm" -> VectorSimilarityFunction.EUCLIDEAN;
      case "max_inner_product" -> VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT;
      default -> VectorSimilarityFunction.COSINE;
    };
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  /// The dimensions may be set once.
  @Override
  public FieldType merge(String field, FieldType changed) {
    if (changed instanceof VectorType other) {
      if (other.vectors.dimensions() == 0) {
        return this;
      }
      if (vectors.dimensions() == 0) {
        return changed;
      }
      if (vectors.isIndexed() && other.vectors.isIndexed()) {
        requireSuccessor(field, other);
      }
    }
    return UnqueryableField.super.merge(field, changed);
  }

  /// Segments of both layouts are merged: what one of them lacks cannot be made of less.
  private void requireSuccessor(String field, VectorType changed) {
    if (!vectors.layout().mayBecome(changed.vectors.layout())) {
      throw Refusal.badArgument(
          "Mapper for ["
              + field
              + "] conflicts with existing mapper:\n\tCannot update parameter [index_options] from ["
              + toJson().path("index_options")
              + "] to ["
              + changed.toJson().path("index_options")
              + "]");
    }
  }

  @Override
  public boolean learns() {
    return vectors.dimensions() == 0;
  }

  @Override
  public @Nullable ObjectNode learn(JsonNode value) {
    if (!learns() || value.isNull()) {
      return null;
    }
    if (!value.isArray() && !value.isTextual()) {
      throw new Refusal(
          ErrorType.DOCUMENT_PARSING,
          "failed to parse: Unsupported type ["
              + JsonObject.token(value)
              + "] for provided value ["
              + value
              + "]");
    }
    int dimensions = elements.dimensions(value);
    if (dimensions == 0) {
      throw Refusal.badArgument(
          "The number of dimensions should be in the range [1, 4096] but was [0]");
    }
    return Json.object().put("dims", dimensions);
  }

  @Override
  public boolean readsArrays() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new VectorColumns(field, vectors, elements);
  }

  @Override
  public boolean isSearchable() {
    return vectors.isIndexed();
  }

  @Override
  public boolean needsFieldName() {
    return false;
  }

  @Override
  public Vectors vectors() {
    return vectors;
  }

  @Override
  public KnnVectorsFormat vectorsFormat() {
    return vectors.layout().format();
  }

  @Override
  public Query existsQuery(String field) {
    return new FieldExistsQuery(field);
  }

  @Override
  public Refusal noMatch(String field) {
    return QueryFaults.noQuery(
        "Field [" + field + "] of type [dense_vector] doesn't support term queries");
  }

  /// The `index_options` of a field.
  record VectorOptions(VectorLayout layout) {
    private static final int LINKS = 16;
    private static final int BEAM = 100;
    static final VectorOptions NONE =
        new VectorOptions(new VectorLayout(Quantization.NONE, false, LINKS, BEAM));
    private static final List<String> TYPES =
        List.of(
            "hnsw",
            "int8_hnsw",
            "int4_hnsw",
            "bbq_hnsw",
            "flat",
            "int8_flat",
            "int4_flat",
            "bbq_flat");

    static VectorOptions read(FieldParameters parameters, VectorElements elements, int dimensions) {
      JsonNode given = parameters.raw("index_options");
      ObjectNode shown = Json.object();
      String type = usual(elements, dimensions);
      if (given != null) {
        if (!given.has("type")) {
          throw FieldParameters.mapperParsing(
              "[index_options] requires field [type] to be configured");
        }
        type = given.get("type").asText();
      }
      if (!TYPES.contains(type)) {
        throw FieldParameters.mapperParsing(
            "Unknown vector index options type ["
                + type
                + "] for field ["
                + parameters.field()
                + "]");
      }
      Quantization quantization = quantization(type, elements);
      if (quantization != Quantization.NONE
          && quantization != Quantization.BITS
          && elements != VectorElements.FLOAT) {
        throw FieldParameters.mapperParsing(
            "[element_type] cannot be ["
                + elements.shown()
                + "] when using index type ["
                + type
                + "]");
      }
      if (quantization == Quantization.BBQ && dimensions > 0 && dimensions < BBQ_DIMENSIONS_MIN) {
        throw FieldParameters.mapperParsing(
            "["
                + type
                + "] only supports vectors with at least [64] dimensions, but was provided ["
                + dimensions
                + "]");
      }
      if (quantization == Quantization.INT4 && dimensions % 2 != 0) {
        throw FieldParameters.mapperParsing(
            "[" + type + "] only supports even dimensions; provided=" + dimensions);
      }
      boolean hasGraph = type.endsWith("hnsw");
      int links = LINKS;
      int beam = BEAM;
      shown.put("type", type);
      if (hasGraph) {
        links = given == null ? LINKS : given.path("m").asInt(LINKS);
        beam = given == null ? BEAM : given.path("ef_construction").asInt(BEAM);
        shown.put("m", links);
        shown.put("ef_construction", beam);
      }
      if (given != null) {
        given
            .properties()
            .forEach(option -> keep(option.getKey(), option.getValue(), hasGraph, shown));
      }
      if (given == null && dimensions == 0) {
        shown.removeAll();
      }
      parameters.show("index_options", shown);
      return new VectorOptions(new VectorLayout(quantization, hasGraph, links, beam));
    }

    private static void keep(String name, JsonNode value, boolean hasGraph, ObjectNode shown) {
      switch (name) {
        case "type" -> {}
        case "m", "ef_construction" -> {
          if (!hasGraph) {
            throw unsupported(name, value);
          }
        }
        case "confidence_interval", "rescore_vector", "on_disk_rescore" -> shown.set(name, value);
        default -> throw unsupported(name, value);
      }
    }

    private static Refusal unsupported(String name, JsonNode value) {
      return FieldParameters.mapperParsing(
          "Mapping definition for [index_options] has unsupported parameters:  ["
              + name
              + " : "
              + value.asText()
              + "]");
    }

    private static String usual(VectorElements elements, int dimensions) {
      if (elements != VectorElements.FLOAT) {
        return "hnsw";
      }
      return dimensions >= BBQ_DEFAULT_FROM ? "bbq_hnsw" : "int8_hnsw";
    }

    private static Quantization quantization(String type, VectorElements elements) {
      if (elements == VectorElements.BIT && (type.equals("hnsw") || type.equals("flat"))) {
        return Quantization.BITS;
      }
      return switch (type.substring(0, type.indexOf('_') < 0 ? 0 : type.indexOf('_'))) {
        case "int8" -> Quantization.INT8;
        case "int4" -> Quantization.INT4;
        case "bbq" -> Quantization.BBQ;
        default -> Quantization.NONE;
      };
    }
  }
}
