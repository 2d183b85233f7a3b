package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.compoundcommit.call.WireValues.Done;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.compoundcommit.notice.NoticeCodecs;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.call.SearchCodecs;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// Every call that a search node answers for coordinators, by name.
public final class SearchCalls {
  private static final Duration SHORT = Duration.ofSeconds(30);

  private static final Codec<Long> COUNT =
      Codec.word((out, count) -> out.writeVLong(count), WireInput::readVLong);

  private static final Codec<ById> BY_ID =
      Codec.record(
          (WireOutput out, ById wanted) -> {
            WireValues.writeShard(out, wanted.shard());
            out.writeString(wanted.id());
            if (wanted.dividedSince() != IndexSplit.NEVER) {
              out.writeZLong(wanted.dividedSince());
            }
          },
          in ->
              new ById(
                  WireValues.readShard(in),
                  in.readString(),
                  in.hasMore() ? in.readZLong() : IndexSplit.NEVER));

  public static final Call<ById, RealTimeDocument> FIND =
      new Call<>("search/get", BY_ID, NoticeCodecs.DOCUMENT, SHORT);
  public static final Call<ShardId, Long> DOCUMENTS =
      new Call<>("search/documents", WireValues.SHARD, COUNT, SHORT);
  private static final Codec<ObjectNode> JSON =
      Codec.record(
          (out, json) -> WireValues.writeBytes(out, Json.bytes(json)),
          in -> {
            byte[] bytes = Objects.requireNonNull(WireValues.readBytes(in));
            return Json.parseObject(bytes, 0, bytes.length);
          });
  public static final Call<Question, ObjectNode> ASK =
      new Call<>(
          "search/ask",
          Codec.record(
              (WireOutput out, Question question) -> {
                out.writeString(question.question().name());
                JSON.write(out, question.body());
              },
              in -> new Question(NodeQuestion.valueOf(in.readString()), JSON.read(in))),
          JSON,
          SHORT);
  public static final Call<String, Done> RELEASE =
      new Call<>("search/release", WireValues.STRING, WireValues.DONE, SHORT);

  private SearchCalls() {}

  public record ById(ShardId shard, String id, long dividedSince) {
    /// Of a shard that was never divided.
    public ById(ShardId shard, String id) {
      this(shard, id, IndexSplit.NEVER);
    }
  }

  public record Question(NodeQuestion question, ObjectNode body) {}

  /// A question and its answer, which can be read only by who knows the question.
  private record Asked(QueryRequest request, QueryAnswer answer) {}

  private static Call<FetchRequest, List<Hit>> fetch(Duration max) {
    return new Call<>("search/fetch", SearchCodecs.FETCH, SearchCodecs.HITS, max);
  }

  /// Answers coordinators on other nodes from now on.
  public static void serve(Network network, SearchTier here, MappingFactory mappings) {
    Codec<Asked> answers =
        Codec.record(
            (out, asked) ->
                SearchCodecs.answer(asked.request.source(), mappings).writeWhole(out, asked.answer),
            in -> {
              throw new IOException("an answer is read by who asked");
            });
    new Call<>("search/query", SearchCodecs.QUERY, answers, here.config().queryMax())
        .serve(network, request -> new Asked(request, here.query(request, () -> false)));
    fetch(here.config().queryMax()).serve(network, here::fetch);
    RELEASE.serve(
        network,
        search -> {
          here.release(search);
          return Done.DONE;
        });
    FIND.serve(network, wanted -> here.find(wanted.shard(), wanted.dividedSince(), wanted.id()));
    DOCUMENTS.serve(network, here::documents);
    ASK.serve(network, asked -> here.ask(asked.question(), asked.body()));
  }

  /// Another search node.
  public static SearchNode at(Caller node, MappingFactory mappings, Duration queryMax) {
    return new Remote(node, mappings, queryMax);
  }

  private record Remote(Caller node, MappingFactory mappings, Duration queryMax)
      implements SearchNode {
    @Override
    public QueryAnswer query(QueryRequest request, BooleanSupplier isCancelled)
        throws IOException, InterruptedException {
      Codec<QueryAnswer> answers = SearchCodecs.answer(request.source(), mappings);
      return new Call<>("search/query", SearchCodecs.QUERY, answers, queryMax).ask(node, request);
    }

    @Override
    public List<Hit> fetch(FetchRequest request) throws IOException, InterruptedException {
      return SearchCalls.fetch(queryMax).ask(node, request);
    }

    @Override
    public void release(String search) throws IOException, InterruptedException {
      Done _ = RELEASE.ask(node, search);
    }

    @Override
    public RealTimeDocument find(ShardId shard, long dividedSince, String id)
        throws IOException, InterruptedException {
      return FIND.ask(node, new ById(shard, id, dividedSince));
    }

    @Override
    public long documents(ShardId shard) throws IOException, InterruptedException {
      return Objects.requireNonNull(DOCUMENTS.ask(node, shard));
    }

    @Override
    public ObjectNode ask(NodeQuestion question, ObjectNode body)
        throws IOException, InterruptedException {
      return ASK.ask(node, new Question(question, body));
    }
  }
}
