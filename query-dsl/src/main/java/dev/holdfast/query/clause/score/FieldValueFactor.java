package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.FieldNumbers;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A number of the document itself, times a factor, through a modifier.
///
/// @param missing number of documents without one; null to refuse them
record FieldValueFactor(String field, float factor, Modifier modifier, @Nullable Double missing)
    implements ScoreFunction {
  /// What is done to the number.
  enum Modifier {
    NONE(x -> x),
    LOG(Math::log10),
    LOG1P(x -> Math.log10(x + 1)),
    LOG2P(x -> Math.log10(x + 2)),
    LN(Math::log),
    LN1P(Math::log1p),
    LN2P(x -> Math.log1p(x + 1)),
    SQUARE(x -> x * x),
    SQRT(Math::sqrt),
    RECIPROCAL(x -> 1 / x);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final DoubleUnaryOperator function;

    Modifier(DoubleUnaryOperator function) {
      this.function = function;
    }

    static Modifier parse(String name) {
      for (Modifier one : values()) {
        if (one.name().equals(name.toUpperCase(Locale.ROOT))) {
          return one;
        }
      }
      throw Refusal.badArgument(
          "No enum constant"
              + " org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier."
              + name.toUpperCase(Locale.ROOT));
    }
  }

  static ScoreFunction parse(JsonNode body) {
    JsonObject json = JsonObject.of("field_value_factor", body);
    Double missing =
        json.orNull("missing") == null ? null : (Double) json.doubleValue("missing", 0);
    String field = json.string("field");
    if (field == null) {
      throw QueryReader.parsing("[field_value_factor] required field 'field' missing");
    }
    FieldValueFactor function =
        new FieldValueFactor(
            field,
            (float) json.doubleValue("factor", 1),
            Modifier.parse(json.string("modifier", "none")),
            missing);
    json.done();
    return function;
  }

  @Override
  public Bound bind(QueryContext context) {
    if (context.type(field) == null) {
      if (missing == null) {
        throw new Refusal(
            ErrorType.ILLEGAL_ARGUMENT,
            "Unable to find a field mapper for field [" + field + "]. No 'missing' value defined.");
      }
      return _ -> _ -> modified(missing);
    }
    FieldNumbers numbers = FieldNumbers.of(context, field);
    return leaf -> {
      FieldNumbers.Values values = numbers.in(leaf);
      return doc -> {
        if (values.advanceExact(doc)) {
          return modified(values.next());
        }
        if (missing == null) {
          throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "Missing value for field [" + field + "]");
        }
        return modified(missing);
      };
    };
  }

  private double modified(double value) {
    double number = value * factor;
    double result = modifier.function.applyAsDouble(number);
    if (result < 0) {
      throw Refusal.badArgument(
          "field value function must not produce negative scores, but got: ["
              + result
              + "] for field value: ["
              + value
              + "]"
              + (modifier == Modifier.LN || modifier == Modifier.LOG
                  ? "; consider using ln1p or ln2p instead of ln to avoid negative scores"
                  : ""));
    }
    return result;
  }
}
