package dev.holdfast.query.suggest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// What stands for the probability of words that the index does not hold in this order.
///
/// @param trigram weight of three words for `linear_interpolation`; the discount of
///   `stupid_backoff`; the alpha of `laplace`
/// @param bigram weight of two words
/// @param unigram weight of one word
record Smoothing(String kind, double trigram, double bigram, double unigram) {
  static Smoothing parse(@Nullable JsonNode given) {
    if (given == null || (given.isObject() && given.isEmpty())) {
      return new Smoothing("stupid_backoff", 0.4, 0, 0);
    }
    if (!given.isObject()) {
      throw new Refusal(
          ErrorType.PARSING,
          "suggester[phrase] doesn't support "
              + (given.isArray() ? "array " : "")
              + "field [smoothing]");
    }
    if (given.size() > 1) {
      throw new Refusal(ErrorType.PARSING, "[smoothing] takes one model, found " + given);
    }
    String kind = given.fieldNames().next();
    JsonObject json = JsonObject.of(kind, given.get(kind));
    Smoothing smoothing =
        switch (kind) {
          case "stupid_backoff" -> new Smoothing(kind, json.doubleValue("discount", 0.4), 0, 0);
          case "laplace" -> new Smoothing(kind, json.doubleValue("alpha", 0.5), 0, 0);
          case "linear_interpolation", "linear" ->
              new Smoothing(
                  "linear_interpolation",
                  json.doubleValue("trigram_lambda", 0),
                  json.doubleValue("bigram_lambda", 0),
                  json.doubleValue("unigram_lambda", 0));
          default -> throw Refusal.badArgument("No smoothing model named [" + kind + "]");
        };
    json.done();
    if (kind.startsWith("linear")
        && Math.abs(smoothing.trigram + smoothing.bigram + smoothing.unigram - 1) > 0.001) {
      throw Refusal.badArgument("linear smoothing lambdas must sum to 1");
    }
    return smoothing;
  }
}
