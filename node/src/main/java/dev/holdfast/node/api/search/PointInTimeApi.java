package dev.holdfast.node.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.node.api.index.IndexExpression;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.query.Queries;
import dev.holdfast.search.ContextIds;
import dev.holdfast.search.Searches;
import dev.holdfast.search.ShardContexts;
import dev.holdfast.search.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `POST /{index}/_pit`: keeps the commits that the indices are searched at now; `DELETE /_pit`:
/// lets them go.
public final class PointInTimeApi {
  /// Parameters of opening.
  public static final List<String> PARAMETERS =
      List.of(
          "keep_alive",
          "preference",
          "routing",
          "ignore_unavailable",
          "allow_no_indices",
          "expand_wildcards",
          "allow_partial_search_results",
          "max_concurrent_shard_requests");

  private final Metadata metadata;
  private final Searches searches;

  public PointInTimeApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
  }

  public Api open() {
    return this::open;
  }

  public Api close() {
    return this::close;
  }

  private Answer open(ApiRequest request) {
    String keepAlive = request.text("keep_alive");
    if (keepAlive == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: [keep_alive] is not specified;");
    }
    Duration kept = Scrolls.keepAlive("keep_alive", keepAlive);
    JsonObject body = JsonObject.of("open_point_in_time", request.body().object());
    JsonNode filter = body.take("index_filter");
    body.done();
    if (filter != null) {
      var _ = Queries.parse(filter);
    }
    List<ShardTarget> targets =
        SearchTargets.of(
            metadata.current(),
            request.required("index"),
            IndexExpression.Options.SEARCH.of(request),
            request.text("routing"),
            request.text("preference"),
            null);
    List<ContextIds.Held> held = new ArrayList<>();
    try {
      for (ShardTarget target : targets) {
        held.add(
            new ContextIds.Held(
                target.shard(),
                searches
                    .contexts()
                    .open(
                        target,
                        ShardContexts.Kind.POINT_IN_TIME,
                        kept,
                        target.filter() == null ? "" : target.filter().toString())));
      }
    } catch (RuntimeException e) {
      held.forEach(one -> searches.contexts().close(one.context()));
      throw e;
    }
    String id = new ContextIds(ShardContexts.Kind.POINT_IN_TIME, held).text();
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("id", id);
      out.writeObjectFieldStart("_shards");
      out.writeNumberField("total", held.size());
      out.writeNumberField("successful", held.size());
      out.writeNumberField("skipped", 0);
      out.writeNumberField("failed", 0);
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  private Answer close(ApiRequest request) {
    JsonObject body = JsonObject.of("close_point_in_time", request.body().object());
    String id = body.string("id");
    body.done();
    if (id == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: [id] is not specified;");
    }
    int closed = 0;
    for (ContextIds.Held held : ContextIds.parse(ShardContexts.Kind.POINT_IN_TIME, id).shards()) {
      closed += searches.contexts().close(held.context()) ? 1 : 0;
    }
    int freed = closed;
    return Answer.of(
        freed > 0 ? 200 : 404,
        out -> {
          out.writeStartObject();
          out.writeBooleanField("succeeded", freed > 0);
          out.writeNumberField("num_freed", freed);
          out.writeEndObject();
        });
  }
}
