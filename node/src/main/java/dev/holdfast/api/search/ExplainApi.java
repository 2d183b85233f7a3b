package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.search.lookup.DocumentLookup;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.search.lookup.StoredValues;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.inspection.ExplainInspection;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET|POST /{index}/_explain/{id}`: whether and how a document matches a query.
public final class ExplainApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "analyze_wildcard",
          "analyzer",
          "default_operator",
          "df",
          "lenient",
          "preference",
          "q",
          "routing",
          "_source",
          "_source_excludes",
          "_source_includes",
          "stored_fields");

  private final Metadata metadata;
  private final Searches searches;
  private final DocumentLookup documents;
  private final QueryLookups lookups;

  public ExplainApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
    this.documents = new DocumentLookup(metadata, searches);
    this.lookups = new QueryLookups(metadata, searches);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    JsonNode query = SearchBody.bodyOrQ(request, request.body().object(), true);
    if (query == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: query is missing;");
    }
    String id = request.required("id");
    String name = request.required("index");
    lookups.resolve(query, name);
    var _ = Queries.parse(query);
    IndexMetadata index = SingleIndex.of(metadata.current(), name, false);
    IndexBlocks.requireReadable(index);
    ObjectNode question = Json.object().put("id", id);
    question.set("query", query);
    Explained told = explained(name, index, id, request.text("routing"), question);
    ObjectNode explained = told.answer;
    boolean isFound = told.isFound();
    List<String> stored = request.list("stored_fields");
    boolean withSource =
        request.has("_source")
            || request.has("_source_includes")
            || request.has("_source_excludes")
            || stored.contains("_source");
    RealTimeDocument document =
        isFound && (withSource || !stored.isEmpty())
            ? searches.get(told.shard, id, false)
            : RealTimeDocument.missing();
    SourceFilter filter = ShownSource.of(index, SourceParameters.read(request, withSource));
    Answer answer =
        Answer.of(
            isFound ? 200 : 404,
            out -> {
              out.writeStartObject();
              out.writeStringField("_index", index.id().name());
              out.writeStringField("_id", id);
              out.writeBooleanField("matched", explained.path("matched").asBoolean(false));
              if (explained.has("explanation")) {
                out.writeFieldName("explanation");
                out.writeTree(explained.get("explanation"));
              }
              byte[] source = document.source();
              if (source != null && (filter.isShown() || !stored.isEmpty())) {
                out.writeObjectFieldStart("get");
                out.writeNumberField("_seq_no", document.seqNo());
                out.writeNumberField("_primary_term", document.primaryTerm());
                out.writeBooleanField("found", true);
                SourceParameters.write(out, filter, source);
                new StoredValues().write(out, index, stored, source);
                out.writeEndObject();
              }
              out.writeEndObject();
            });
    // As in Elasticsearch, which does not say so.
    return !request.body().isEmpty() && request.text("q") != null
        ? answer.warn("[q] has no effect: the query of the body is explained")
        : answer;
  }

  /// @param shard that was asked
  private record Explained(ShardId shard, ObjectNode answer) {
    boolean isFound() {
      return answer.path("found").asBoolean();
    }
  }

  /// A shard that does not have the document may have been divided since the index was looked up:
  /// then the one is asked that has it now (decision 031).
  private Explained explained(
      String name, IndexMetadata index, String id, @Nullable String routing, ObjectNode question)
      throws IOException {
    Explained first = ask(documents.shard(index, id, routing), question);
    if (first.isFound()) {
      return first;
    }
    ShardId now = documents.find(name, id, routing, false).shard();
    return now.equals(first.shard) ? first : ask(now, question);
  }

  private Explained ask(ShardId shard, ObjectNode question) throws IOException {
    return new Explained(shard, searches.ask(shard, ExplainInspection.NAME, question));
  }
}
