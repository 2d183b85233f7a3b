package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.query.inspection.ValidateInspection;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_validate/query`, `/{index}/_validate/query`: whether a query could run, and what it
/// means.
public final class ValidateQueryApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "all_shards",
          "allow_no_indices",
          "analyze_wildcard",
          "analyzer",
          "default_operator",
          "df",
          "expand_wildcards",
          "explain",
          "ignore_unavailable",
          "lenient",
          "q",
          "rewrite",
          "routing");

  private final Metadata metadata;
  private final Searches searches;
  private final QueryLookups lookups;

  public ValidateQueryApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
    this.lookups = new QueryLookups(metadata, searches);
  }

  /// An index with what it says of the query.
  ///
  /// @param shard -1 for any one of them
  private record Explained(IndexMetadata index, int shard, ObjectNode answer) {}

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    boolean withReasons =
        request.flag("explain", false)
            || request.flag("rewrite", false)
            || request.flag("all_shards", false);
    List<IndexMetadata> indices =
        IndexBlocks.readable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request)));
    boolean asksAll = request.flag("all_shards", false);
    if (!request.body().isEmpty() || !request.has("q")) {
      SearchBody.requireUnread(request, false);
    }
    JsonNode query;
    try {
      if (!request.body().isEmpty() && request.body().object().isEmpty()) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: query cannot be null;");
      }
      query = SearchBody.bodyOrQ(request, request.body().object(), false);
      lookups.resolve(query, request.text("index", ""));
      Queries.parse(query);
    } catch (Refusal e) {
      if (e.type() == ErrorType.ACTION_REQUEST_VALIDATION || e.type().status() >= 429) {
        throw e;
      }
      String error = "org.elasticsearch.common.ParsingException: " + e.reason();
      return answer(List.of(), false, withReasons ? error : null, withReasons, -1);
    }
    List<Explained> explained = new ArrayList<>();
    boolean isValid = true;
    for (IndexMetadata index : indices) {
      ObjectNode question = Json.object().put("rewrite", request.flag("rewrite", false));
      if (query != null) {
        question.set("query", query);
      }
      for (int shard = 0; shard < (asksAll ? index.shards() : 1); shard++) {
        ObjectNode one =
            searches.ask(new ShardId(index.id(), shard), ValidateInspection.NAME, question);
        RequestMemory.add(JsonMemory.of(one));
        isValid &= one.path("valid").asBoolean();
        explained.add(new Explained(index, asksAll ? shard : -1, one));
      }
    }
    return answer(explained, isValid, null, withReasons, explained.size());
  }

  /// @param shards asked; negative when the query could not be read
  private static Answer answer(
      List<Explained> explained,
      boolean isValid,
      @Nullable String error,
      boolean withReasons,
      int shards) {
    return Answer.of(out -> {
      out.writeStartObject();
      if (shards >= 0) {
        out.writeObjectFieldStart("_shards");
        out.writeNumberField("total", shards);
        out.writeNumberField("successful", shards);
        out.writeNumberField("failed", 0);
        out.writeEndObject();
      }
      out.writeBooleanField("valid", isValid);
      if (error != null) {
        out.writeStringField("error", error);
      }
      if (withReasons && !explained.isEmpty()) {
        out.writeArrayFieldStart("explanations");
        for (Explained one : explained) {
          out.writeStartObject();
          out.writeStringField("index", one.index.id().name());
          if (one.shard >= 0) {
            out.writeNumberField("shard", one.shard);
          }
          for (var member : one.answer.properties()) {
            out.writeFieldName(member.getKey());
            out.writeTree(member.getValue());
          }
          out.writeEndObject();
        }
        out.writeEndArray();
      }
      out.writeEndObject();
    });
  }
}
