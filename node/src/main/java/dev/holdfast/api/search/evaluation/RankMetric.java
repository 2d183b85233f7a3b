package dev.holdfast.api.search.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How good the order of some hits is.
///
/// @param k hits looked at
/// @param unknownRating of hits without one; null for none
record RankMetric(
    Kind kind,
    int k,
    int relevantFrom,
    boolean ignoresUnlabeled,
    boolean isNormalized,
    int ratingMax,
    @Nullable Integer unknownRating) {
  /// The metrics there are.
  enum Kind {
    PRECISION("precision"),
    RECALL("recall"),
    RECIPROCAL_RANK("mean_reciprocal_rank"),
    DCG("dcg"),
    EXPECTED_RECIPROCAL_RANK("expected_reciprocal_rank");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /// A number with how it came about.
  record Score(double value, ObjectNode details) {}

  static RankMetric parse(JsonNode given) {
    if (!given.isObject() || given.size() != 1) {
      throw new Refusal(ErrorType.PARSING, "[metric] must hold one metric");
    }
    String name = given.fieldNames().next();
    for (Kind kind : Kind.values()) {
      if (kind.word.equals(name)) {
        RankMetric metric = read(kind, JsonObject.ofKinds(name, given.get(name)));
        if (metric.k <= 0) {
          throw Refusal.badArgument("Window size k must be positive.");
        }
        if (metric.relevantFrom < 0) {
          throw Refusal.badArgument(
              "Relevant rating threshold for " + name + " must be positive integer.");
        }
        return metric;
      }
    }
    throw new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[rank_eval] failed to parse field [metric]",
        new Refusal(ErrorType.NAMED_OBJECT_NOT_FOUND, "unknown field [" + name + "]"));
  }

  /// Each kind has options of its own; those of another are unknown to it.
  private static RankMetric read(Kind kind, JsonObject json) {
    boolean isGraded = kind == Kind.DCG || kind == Kind.EXPECTED_RECIPROCAL_RANK;
    int ratingMax = 0;
    if (kind == Kind.EXPECTED_RECIPROCAL_RANK) {
      ratingMax = json.integer("maximum_relevance", -1);
      if (ratingMax < 0) {
        throw Refusal.badArgument(
            json.has("maximum_relevance")
                ? "[maximum_relevance] must not be negative, but is [" + ratingMax + "]"
                : "Required [maximum_relevance]");
      }
    }
    boolean hasUnknown = isGraded && json.has("unknown_doc_rating");
    RankMetric metric =
        new RankMetric(
            kind,
            json.integer("k", 10),
            isGraded ? 1 : json.integer("relevant_rating_threshold", 1),
            kind == Kind.PRECISION && json.bool("ignore_unlabeled", false),
            kind == Kind.DCG && json.bool("normalize", false),
            ratingMax,
            hasUnknown ? (Integer) json.integer("unknown_doc_rating", 0) : null);
    json.done();
    return metric;
  }

  /// @param hits ratings of the hits in their order; null for none
  /// @param rated all ratings of the request
  Score score(List<@Nullable Integer> hits, List<Integer> rated) {
    ObjectNode details = Json.object();
    ObjectNode own = details.putObject(kind.word);
    double value =
        switch (kind) {
          case PRECISION -> precision(hits, own);
          case RECALL -> recall(hits, rated, own);
          case RECIPROCAL_RANK -> reciprocalRank(hits, own);
          case DCG -> dcg(hits, rated, own);
          case EXPECTED_RECIPROCAL_RANK -> expected(hits, own);
        };
    return new Score(value, details);
  }

  private boolean isRelevant(@Nullable Integer rating) {
    return rating != null && rating >= relevantFrom;
  }

  private double precision(List<@Nullable Integer> hits, ObjectNode details) {
    int relevant = 0;
    int all = 0;
    for (Integer rating : hits) {
      if (rating == null && ignoresUnlabeled) {
        continue;
      }
      all++;
      relevant += isRelevant(rating) ? 1 : 0;
    }
    details.put("relevant_docs_retrieved", relevant).put("docs_retrieved", all);
    return all == 0 ? 0 : (double) relevant / all;
  }

  private double recall(List<@Nullable Integer> hits, List<Integer> rated, ObjectNode details) {
    long relevant = hits.stream().filter(this::isRelevant).count();
    long all = rated.stream().filter(this::isRelevant).count();
    details.put("relevant_docs_retrieved", relevant).put("relevant_docs", all);
    return all == 0 ? 0 : (double) relevant / all;
  }

  private double reciprocalRank(List<@Nullable Integer> hits, ObjectNode details) {
    int first = -1;
    for (int i = 0; i < hits.size() && first < 0; i++) {
      if (isRelevant(hits.get(i))) {
        first = i + 1;
      }
    }
    details.put("first_relevant", first);
    return first < 0 ? 0 : 1.0 / first;
  }

  private static double gain(List<@Nullable Integer> ratings) {
    double sum = 0;
    for (int i = 0; i < ratings.size(); i++) {
      Integer rating = ratings.get(i);
      if (rating != null) {
        sum += (Math.pow(2, rating) - 1) / (Math.log(i + 2) / Math.log(2));
      }
    }
    return sum;
  }

  private double dcg(List<@Nullable Integer> hits, List<Integer> rated, ObjectNode details) {
    List<@Nullable Integer> known = new ArrayList<>();
    int unrated = 0;
    for (Integer rating : hits) {
      unrated += rating == null ? 1 : 0;
      known.add(rating == null ? unknownRating : rating);
    }
    double dcg = gain(known);
    double ideal = 0;
    double value = dcg;
    if (isNormalized) {
      List<@Nullable Integer> best = new ArrayList<>(rated);
      best.sort(Comparator.nullsLast(Comparator.reverseOrder()));
      ideal = gain(best.subList(0, Math.min(hits.size(), best.size())));
      value = ideal == 0 ? 0 : dcg / ideal;
    }
    details.put("dcg", dcg);
    if (isNormalized) {
      details.put("ideal_dcg", ideal).put("normalized_dcg", value);
    }
    details.put("unrated_docs", unrated);
    return value;
  }

  private double expected(List<@Nullable Integer> hits, ObjectNode details) {
    double remaining = 1;
    double score = 0;
    int unrated = 0;
    for (int i = 0; i < hits.size(); i++) {
      Integer given = hits.get(i);
      unrated += given == null ? 1 : 0;
      Integer rating = given == null ? unknownRating : given;
      if (rating != null) {
        double stops = (Math.pow(2, rating) - 1) / Math.pow(2, ratingMax);
        score += remaining * stops / (i + 1);
        remaining *= 1 - stops;
      }
    }
    details.put("unrated_docs", unrated);
    return score;
  }
}
