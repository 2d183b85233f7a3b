package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.AskedShards;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.TimeValue;
import dev.holdfast.query.inspection.MatchInspection;
import dev.holdfast.query.inspection.TermsEnumInspection;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// `GET|POST /{index}/_terms_enum`: terms of a field that begin with a text.
public final class TermsEnumApi implements Api {
  public static final List<String> PARAMETERS = IndexExpression.PARAMETERS;

  private static final int SIZE_MAX = 10_000;

  /// A term beside its letters.
  private static final int TERM_BYTES = 96;

  private final Metadata metadata;
  private final Searches searches;
  private final Clock clock;

  public TermsEnumApi(Metadata metadata, Searches searches, Clock clock) {
    this.metadata = metadata;
    this.searches = searches;
    this.clock = clock;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    JsonObject body = JsonObject.of("terms_enum", request.body().object());
    String field = body.string("field");
    if (field == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: field cannot be null;");
    }
    int size = body.integer("size", 10);
    if (size <= 0 || size > SIZE_MAX) {
      throw Refusal.badArgument("size must be in (0, " + SIZE_MAX + "], found [" + size + "]");
    }
    ObjectNode question = Json.object().put("field", field).put("size", size);
    question.put("string", body.string("string", ""));
    question.put("case_insensitive", body.bool("case_insensitive", false));
    String after = body.string("search_after");
    if (after != null) {
      question.put("search_after", after);
    }
    String timeout = body.string("timeout");
    long millisMax = timeout == null ? -1 : TimeValue.parse("timeout", timeout).toMillis();
    JsonNode filter = body.take("index_filter");
    body.done();
    List<ShardTarget> targets =
        new ArrayList<>(
            SearchTargets.of(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request),
                null,
                null,
                null));
    AskedShards shards = new AskedShards(metadata);
    TreeSet<String> terms = new TreeSet<>();
    long startNanos = clock.nanoTime();
    int asked = 0;
    for (int i = 0; i < targets.size(); i++) {
      if (millisMax >= 0 && (clock.nanoTime() - startNanos) / 1_000_000 >= millisMax) {
        break;
      }
      asked++;
      ShardId shard = targets.get(i).shard();
      if (filter == null || matches(shard, filter)) {
        searches
            .ask(shard, TermsEnumInspection.NAME, question)
            .path("terms")
            .forEach(term -> terms.add(term.asText()));
      }
      if (asked == targets.size()) {
        targets.addAll(shards.added(targets));
      }
      while (terms.size() > size) {
        terms.pollLast();
      }
    }
    boolean isComplete = asked == targets.size();
    RequestMemory.add(terms.stream().mapToLong(term -> TERM_BYTES + term.length()).sum());
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("_shards");
      out.writeNumberField("total", targets.size());
      out.writeNumberField("successful", targets.size());
      out.writeNumberField("failed", 0);
      out.writeEndObject();
      out.writeArrayFieldStart("terms");
      for (String term : terms.stream().limit(size).toList()) {
        out.writeString(term);
      }
      out.writeEndArray();
      out.writeBooleanField("complete", isComplete);
      out.writeEndObject();
    });
  }

  private boolean matches(ShardId shard, JsonNode filter) throws IOException {
    ObjectNode question = Json.object();
    question.set("query", filter);
    return searches.ask(shard, MatchInspection.NAME, question).path("matches").asBoolean();
  }
}
