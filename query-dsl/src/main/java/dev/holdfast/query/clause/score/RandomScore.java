package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.QueryReader;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Nondeterminism;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/// A number in [0, 1) that looks random, the same for the same seed and value of a field.
///
/// @param seed null for the time of the request
/// @param field null for the sequence number
record RandomScore(@Nullable Integer seed, @Nullable String field) implements ScoreFunction {
  /// Where the index is in the salt; the shard is below.
  private static final int INDEX_SHIFT = 10;

  private static final float STEPS = 1 << 24;

  static ScoreFunction parse(JsonNode body) {
    JsonObject json = JsonObject.of("random_score", body);
    JsonNode seed = json.take("seed");
    RandomScore function = new RandomScore(seed(seed), json.string("field"));
    json.done();
    return function;
  }

  private static @Nullable Integer seed(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return null;
    }
    if (given.isIntegralNumber()) {
      return given.canConvertToInt() ? given.intValue() : Long.hashCode(given.longValue());
    }
    if (given.isTextual()) {
      return given.asText().hashCode();
    }
    throw QueryReader.parsing(
        "random_score seed must be an int, long or string, not '" + given + "'");
  }

  @Override
  public Bound bind(QueryContext context) {
    if (seed == null) {
      Nondeterminism.note();
    }
    int salt = context.index().hashCode() << INDEX_SHIFT | context.shard();
    int salted = mixed((seed == null ? Long.hashCode(context.nowMillis()) : seed) ^ salt);
    String used = field == null ? MetadataFields.SEQ_NO : context.path(field);
    FieldType type = context.type(used);
    if (used.equals(MetadataFields.ID)) {
      throw Refusal.badArgument(
          "Fielddata access on the _id field is disallowed, use another field for [random_score]");
    }
    if (type == null && field != null && !field.equals(MetadataFields.SEQ_NO)) {
      throw Refusal.badArgument(
          "Field ["
              + field
              + "] is not mapped on ["
              + context.index()
              + "] and cannot be used as a source of random numbers.");
    }
    if (type != null && type.values().hasOrdinals()) {
      return leaf -> {
        SortedSetDocValues terms = DocValues.getSortedSet(leaf.reader(), used);
        return doc ->
            terms.advanceExact(doc)
                ? number(StringHelper.murmurhash3_x86_32(terms.lookupOrd(terms.nextOrd()), salted))
                : number(salted);
      };
    }
    return leaf -> {
      SortedNumericDocValues numbers = DocValues.getSortedNumeric(leaf.reader(), used);
      return doc ->
          numbers.advanceExact(doc) ? number(hash(text(type, numbers), salted)) : number(salted);
    };
  }

  /// The value as Elasticsearch writes it before it hashes it.
  private static String text(@Nullable FieldType type, SortedNumericDocValues numbers)
      throws IOException {
    long value = numbers.nextValue();
    if (type == null || !type.values().isFloating()) {
      return Long.toString(value);
    }
    return Double.toString(type.format(null, null).toDouble(value));
  }

  private static int hash(String text, int salted) {
    return StringHelper.murmurhash3_x86_32(new BytesRef(text), salted);
  }

  private static double number(int hash) {
    return (hash & 0x00FFFFFF) / STEPS;
  }

  /// Every bit of the input moves every bit of the output.
  private static int mixed(int bits) {
    int x = bits;
    x = (x ^ (x >>> 16)) * 0x85ebca6b;
    x = (x ^ (x >>> 13)) * 0xc2b2ae35;
    return x ^ (x >>> 16);
  }
}
