package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.ShardFilter;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.search.Searches;
import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
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

  private final World world;
  private final Metadata metadata;
  private final Searches searches;

  public PointInTimeApi(World world, Metadata metadata, Searches searches) {
    this.world = world;
    this.metadata = metadata;
    this.searches = searches;
  }

  public Api open() {
    return this::open;
  }

  public Api close() {
    return this::close;
  }

  private Answer open(ApiRequest request) throws IOException, InterruptedException {
    String keepAlive = request.text("keep_alive");
    if (keepAlive == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: [keep_alive] is not specified;");
    }
    Duration kept = Scrolls.keepAlive("keep_alive", keepAlive);
    if (request.integer("max_concurrent_shard_requests", 1) < 1) {
      throw Refusal.badArgument("maxConcurrentShardRequests must be >= 1");
    }
    JsonObject body = JsonObject.of("open_point_in_time", request.body().object());
    JsonNode filter = body.take("index_filter");
    body.done();
    if (filter != null) {
      var _ = Queries.parse(filter);
    }
    List<ShardTarget> all =
        SearchTargets.of(
            metadata.current(),
            request.required("index"),
            IndexExpression.Options.SEARCH.of(request),
            request.text("routing"),
            request.text("preference"),
            null);
    List<ShardTarget> targets =
        filter == null ? all : new ShardFilter(world, metadata, searches, filter).targets(all);
    ContextIds ids = searches.pointsInTime().open(targets, kept);
    String id = ids.text();
    int skipped = all.size() - targets.size();
    int held = ids.shards().size() + skipped;
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeStringField("id", id);
      out.writeObjectFieldStart("_shards");
      out.writeNumberField("total", held);
      out.writeNumberField("successful", held);
      out.writeNumberField("skipped", skipped);
      out.writeNumberField("failed", 0);
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  private Answer close(ApiRequest request) throws IOException {
    JsonObject body = JsonObject.of("close_point_in_time", request.body().object());
    String id = body.string("id");
    body.done();
    if (id == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: [id] is not specified;");
    }
    int freed =
        searches.pointsInTime().close(ContextIds.parse(ShardContexts.Kind.POINT_IN_TIME, id));
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
