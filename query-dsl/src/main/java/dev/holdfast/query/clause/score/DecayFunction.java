package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.TimeSpan;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.geo.Distances;
import dev.holdfast.document.field.geo.GeoPoints;
import dev.holdfast.query.FieldNumbers;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.sort.SortSpec;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Nondeterminism;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.SloppyMath;
import org.jspecify.annotations.Nullable;

/// A number that falls from 1 with the distance of a field's value from an origin.
///
/// @param origin null for now, of a date
/// @param scale the distance at which the number is `decay`
/// @param offset distances up to it count as none
record DecayFunction(
    Curve curve,
    String field,
    @Nullable JsonNode origin,
    String scale,
    @Nullable String offset,
    double decay,
    SortSpec.Mode mode)
    implements ScoreFunction {
  /// How the number falls.
  enum Curve {
    GAUSS {
      @Override
      double at(double distance, double scale, double decay) {
        return Math.exp(Math.log(decay) * distance * distance / (scale * scale));
      }
    },
    EXP {
      @Override
      double at(double distance, double scale, double decay) {
        return Math.exp(Math.log(decay) / scale * distance);
      }
    },
    LINEAR {
      @Override
      double at(double distance, double scale, double decay) {
        double end = scale / (1 - decay);
        return Math.max(0, (end - distance) / end);
      }
    };

    abstract double at(double distance, double scale, double decay);
  }

  static ScoreFunction parse(Curve curve, JsonNode body) {
    String name = curve.name().toLowerCase(Locale.ROOT);
    JsonObject json = JsonObject.ofValues(name, body);
    String mode = json.string("multi_value_mode", "min");
    String field = null;
    for (String member : json.rest()) {
      if (field != null) {
        throw QueryReader.parsing("malformed score function score parameters.");
      }
      field = member;
    }
    if (field == null) {
      throw QueryReader.parsing("malformed score function score parameters.");
    }
    JsonObject options = JsonObject.ofValues(name, json.take(field));
    String scale = options.string("scale");
    if (scale == null) {
      throw new Refusal(ErrorType.PARSE, "[scale] must be set for " + name + " decay function");
    }
    JsonNode origin = options.orNull("origin");
    if (origin == null && options.has("origin")) {
      throw new Refusal(ErrorType.PARSE, "[origin] must be a value");
    }
    DecayFunction function =
        new DecayFunction(
            curve,
            field,
            origin,
            scale,
            options.string("offset"),
            options.doubleValue("decay", 0.5),
            SortSpec.mode(mode));
    options.done();
    if (function.decay <= 0 || function.decay >= 1) {
      throw Refusal.badArgument("decay must be in the range (0..1).");
    }
    return function;
  }

  @Override
  public Bound bind(QueryContext context) {
    FieldType type = context.type(field);
    if (type == null) {
      throw new Refusal(ErrorType.PARSING, "unknown field [" + field + "]");
    }
    if (type.values() == ValuesKind.GEO_POINT) {
      return places(context.path(field));
    }
    if (!type.values().isNumeric()) {
      throw new Refusal(
          ErrorType.PARSING,
          "field ["
              + field
              + "] is of type ["
              + type.typeName()
              + "], but only numeric types are supported.");
    }
    FieldNumbers numbers = FieldNumbers.of(context, field);
    boolean isDate =
        type.values() == ValuesKind.DATE_MILLIS || type.values() == ValuesKind.DATE_NANOS;
    double from;
    if (origin == null) {
      if (!isDate) {
        throw new Refusal(
            ErrorType.PARSE, "both [scale] and [origin] must be set for numeric fields.");
      }
      Nondeterminism.note();
      from = context.nowMillis();
    } else {
      from =
          isDate
              ? numbers.toNumber(
                  numbers
                      .format()
                      .toDocValue(TextNode.valueOf(origin.asText()), false, context.nowMillis()))
              : number(origin.isNumber() || origin.isTextual() ? origin.asText() : "");
    }
    double span = isDate ? TimeSpan.millis("scale", scale) : number(scale);
    double free = offset == null ? 0 : isDate ? TimeSpan.millis("offset", offset) : number(offset);
    checkScale(span, free);
    return leaf -> {
      FieldNumbers.Values values = numbers.in(leaf);
      return doc -> {
        if (!values.advanceExact(doc)) {
          return 1;
        }
        double[] distances = new double[values.count()];
        for (int i = 0; i < distances.length; i++) {
          distances[i] = Math.max(0, Math.abs(values.next() - from) - free);
        }
        return curve.at(chosen(distances), span, decay);
      };
    };
  }

  private Bound places(String path) {
    if (origin == null) {
      throw new Refusal(ErrorType.PARSE, "[origin] and [scale] must be set for geo fields.");
    }
    GeoPoints.LatLon from = GeoPoints.of(origin);
    double span = Distances.meters(scale);
    double free = offset == null ? 0 : Distances.meters(offset);
    checkScale(span, free);
    return leaf -> {
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), path);
      return doc -> {
        if (!values.advanceExact(doc)) {
          return 1;
        }
        double[] distances = new double[values.docValueCount()];
        for (int i = 0; i < distances.length; i++) {
          distances[i] = Math.max(0, meters(from, values.nextValue()) - free);
        }
        return curve.at(chosen(distances), span, decay);
      };
    };
  }

  /// Meters between a point and an encoded one.
  static double meters(GeoPoints.LatLon from, long encoded) {
    return SloppyMath.haversinMeters(
        from.lat(),
        from.lon(),
        GeoEncodingUtils.decodeLatitude((int) (encoded >> 32)),
        GeoEncodingUtils.decodeLongitude((int) encoded));
  }

  private double chosen(double[] distances) throws IOException {
    if (distances.length == 1) {
      return distances[0];
    }
    Arrays.sort(distances);
    return switch (mode) {
      case MIN -> distances[0];
      case MAX -> distances[distances.length - 1];
      case AVG -> Arrays.stream(distances).average().orElse(0);
      case SUM -> Arrays.stream(distances).sum();
      case MEDIAN -> {
        int middle = distances.length / 2;
        yield distances.length % 2 == 1
            ? distances[middle]
            : (distances[middle - 1] + distances[middle]) / 2;
      }
    };
  }

  private static void checkScale(double scale, double offset) {
    if (scale <= 0) {
      throw Refusal.badArgument("scale must be > 0.0.");
    }
    if (offset < 0) {
      throw Refusal.badArgument("offset must be > 0.0");
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + text + "\"", e);
    }
  }
}
