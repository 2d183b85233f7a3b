package dev.holdfast.script.context;

import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.script.value.VectorOfField;
import java.time.ZonedDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The score of a document: `script_score`.
public abstract class ScoreScript extends ScoredScript {
  public static final Shape SHAPE =
      shape(
          "score",
          ScoreScript.class,
          "saturation",
          "sigmoid",
          "cosineSimilarity",
          "dotProduct",
          "l1norm",
          "l2norm",
          "hamming",
          "randomScore",
          "decayNumericLinear",
          "decayNumericExp",
          "decayNumericGauss",
          "decayGeoLinear",
          "decayGeoExp",
          "decayGeoGauss",
          "decayDateLinear",
          "decayDateExp",
          "decayDateGauss");

  private final DecayFunctions decays = new DecayFunctions();

  protected ScoreScript(Map<String, Object> params, DocumentValues doc) {
    super(params, doc);
  }

  public abstract double execute();

  public final double saturation(double value, double k) {
    return value / (k + value);
  }

  public final double sigmoid(double value, double k, double a) {
    return Math.pow(value, a) / (Math.pow(k, a) + Math.pow(value, a));
  }

  private VectorOfField vector(String field) {
    if (!(values().get(field) instanceof VectorOfField vector)) {
      throw new IllegalArgumentException("field [" + field + "] is no dense_vector");
    }
    return vector;
  }

  public final double cosineSimilarity(@Nullable Object query, String field) {
    return vector(field).cosineSimilarity(query);
  }

  public final double dotProduct(@Nullable Object query, String field) {
    return vector(field).dotProduct(query);
  }

  public final double l1norm(@Nullable Object query, String field) {
    return vector(field).l1norm(query);
  }

  public final double l2norm(@Nullable Object query, String field) {
    return vector(field).l2norm(query);
  }

  public final double hamming(@Nullable Object query, String field) {
    return vector(field).hamming(query);
  }

  /// The same for one document of one commit.
  public final double randomScore(int seed) {
    return random(values().segmentHash() * 31 + values().documentNumber(), seed);
  }

  /// The same for equal values of the field.
  public final double randomScore(int seed, String field) {
    return random(values().get(field).isEmpty() ? 0 : values().get(field).get(0).hashCode(), seed);
  }

  private static double random(int value, int seed) {
    long mixed = (value * 0x9E3779B97F4A7C15L) ^ (seed * 0xC2B2AE3D27D4EB4FL);
    mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return (mixed >>> 40) / (double) (1L << 24);
  }

  public final double decayNumericLinear(
      double origin, double scale, double offset, double decay, double value) {
    return decays.of(Decay.LINEAR, Math.abs(value - origin), scale, offset, decay);
  }

  public final double decayNumericExp(
      double origin, double scale, double offset, double decay, double value) {
    return decays.of(Decay.EXP, Math.abs(value - origin), scale, offset, decay);
  }

  public final double decayNumericGauss(
      double origin, double scale, double offset, double decay, double value) {
    return decays.of(Decay.GAUSS, Math.abs(value - origin), scale, offset, decay);
  }

  public final double decayGeoLinear(
      String origin, String scale, String offset, double decay, GeoPoint value) {
    return decays.ofPlaces(Decay.LINEAR, origin, scale, offset, decay, value);
  }

  public final double decayGeoExp(
      String origin, String scale, String offset, double decay, GeoPoint value) {
    return decays.ofPlaces(Decay.EXP, origin, scale, offset, decay, value);
  }

  public final double decayGeoGauss(
      String origin, String scale, String offset, double decay, GeoPoint value) {
    return decays.ofPlaces(Decay.GAUSS, origin, scale, offset, decay, value);
  }

  public final double decayDateLinear(
      String origin, String scale, String offset, double decay, ZonedDateTime value) {
    return decays.ofDates(Decay.LINEAR, origin, scale, offset, decay, value);
  }

  public final double decayDateExp(
      String origin, String scale, String offset, double decay, ZonedDateTime value) {
    return decays.ofDates(Decay.EXP, origin, scale, offset, decay, value);
  }

  public final double decayDateGauss(
      String origin, String scale, String offset, double decay, ZonedDateTime value) {
    return decays.ofDates(Decay.GAUSS, origin, scale, offset, decay, value);
  }
}
