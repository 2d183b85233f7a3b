package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParser;
import dev.holdfast.document.field.date.DateType;
import dev.holdfast.document.field.geo.GeoPointType;
import dev.holdfast.document.field.geo.GeoShapeType;
import dev.holdfast.document.field.ip.IpType;
import dev.holdfast.document.field.keyword.ConstantKeywordType;
import dev.holdfast.document.field.keyword.KeywordType;
import dev.holdfast.document.field.keyword.VersionType;
import dev.holdfast.document.field.number.AggregateMetricType;
import dev.holdfast.document.field.number.BooleanType;
import dev.holdfast.document.field.number.NumberKinds;
import dev.holdfast.document.field.number.NumberType;
import dev.holdfast.document.field.number.ScaledKind;
import dev.holdfast.document.field.object.AliasType;
import dev.holdfast.document.field.object.BinaryType;
import dev.holdfast.document.field.object.FlattenedType;
import dev.holdfast.document.field.object.JoinType;
import dev.holdfast.document.field.object.PercolatorType;
import dev.holdfast.document.field.range.RangeType;
import dev.holdfast.document.field.text.CompletionType;
import dev.holdfast.document.field.text.TextType;
import dev.holdfast.document.field.text.TokenCountType;
import dev.holdfast.document.field.vector.FeatureType;
import dev.holdfast.document.field.vector.VectorType;
import dev.holdfast.world.Registry;

/// Every field type there is.
public final class FieldTypes {
  private static final Registry<FieldParser> ALL =
      Registry.<FieldParser>of("field type")
          .with("aggregate_metric_double", AggregateMetricType::new)
          .with("alias", AliasType::new)
          .with("binary", BinaryType::new)
          .with("boolean", BooleanType::new)
          .with("byte", (p, c) -> new NumberType(p, c, NumberKinds.BYTE))
          .with("constant_keyword", ConstantKeywordType::new)
          .with("date", (p, c) -> new DateType(p, c, false))
          .with("date_nanos", (p, c) -> new DateType(p, c, true))
          .with("double", (p, c) -> new NumberType(p, c, NumberKinds.DOUBLE))
          .with("float", (p, c) -> new NumberType(p, c, NumberKinds.FLOAT))
          .with("geo_point", GeoPointType::new)
          .with("half_float", (p, c) -> new NumberType(p, c, NumberKinds.HALF_FLOAT))
          .with("integer", (p, c) -> new NumberType(p, c, NumberKinds.INTEGER))
          .with("ip", IpType::new)
          .with("keyword", KeywordType::new)
          .with("long", (p, c) -> new NumberType(p, c, NumberKinds.LONG))
          .with("match_only_text", TextType::matchOnly)
          .with("scaled_float", (p, c) -> new NumberType(p, c, ScaledKind.of(p)))
          .with("short", (p, c) -> new NumberType(p, c, NumberKinds.SHORT))
          .with("text", TextType::text)
          .with("date_range", RangeType::ofDates)
          .with("ip_range", RangeType::ofAddresses)
          .with("integer_range", (p, c) -> RangeType.of(p, c, NumberKinds.INTEGER))
          .with("long_range", (p, c) -> RangeType.of(p, c, NumberKinds.LONG))
          .with("float_range", (p, c) -> RangeType.of(p, c, NumberKinds.FLOAT))
          .with("double_range", (p, c) -> RangeType.of(p, c, NumberKinds.DOUBLE))
          .with("token_count", TokenCountType::new)
          .with("join", JoinType::new)
          .with("percolator", PercolatorType::new)
          .with("rank_feature", FeatureType::one)
          .with("rank_features", FeatureType::many)
          .with("sparse_vector", FeatureType::vector)
          .with("version", VersionType::new)
          .with("wildcard", KeywordType::wildcard)
          .with("flattened", FlattenedType::new)
          .with("search_as_you_type", TextType::typed)
          .with("dense_vector", VectorType::new)
          .with("completion", CompletionType::new)
          .with("geo_shape", GeoShapeType::new)
          .with("unsigned_long", (p, c) -> new NumberType(p, c, NumberKinds.UNSIGNED_LONG));

  private FieldTypes() {}

  /// Reads the mapping of one field.
  ///
  /// @param field full path
  /// @param mapping without `fields` and `copy_to`
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception` for an unknown type or parameter
  public static FieldType parse(
      String field, String type, ObjectNode mapping, FieldContext context) {
    FieldParser parser = ALL.get(type);
    if (parser == null) {
      throw FieldParameters.mapperParsing(
          "The mapper type ["
              + type
              + "] declared on field ["
              + field.substring(field.lastIndexOf('.') + 1)
              + "] does not exist. It might have been created within a future version or requires a"
              + " plugin which is not installed. Check the documentation.");
    }
    return parser.parse(new FieldParameters(field, type, mapping), context);
  }

  /// Whether there is a field type of that name.
  public static boolean has(String type) {
    return ALL.get(type) != null;
  }
}
