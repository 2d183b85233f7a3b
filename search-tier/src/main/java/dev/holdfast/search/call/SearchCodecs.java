package dev.holdfast.search.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How the questions and answers of a search's phases travel.
public final class SearchCodecs {
  public static final Codec<QueryRequest> QUERY =
      Codec.record(SearchCodecs::write, SearchCodecs::query);

  public static final Codec<FetchRequest> FETCH =
      Codec.record(SearchCodecs::write, SearchCodecs::fetch);

  public static final Codec<List<Hit>> HITS = WireValues.listOf(HitCodec.INSTANCE);

  private static final Codec<FetchRequest.OfShard> FETCHED =
      Codec.record(
          (out, shard) -> {
            out.writeVInt(shard.position());
            WireValues.writeList(out, ShardResultCodec.HIT, shard.hits());
          },
          in ->
              new FetchRequest.OfShard(
                  in.readVInt(), WireValues.readList(in, ShardResultCodec.HIT)));

  private static final Codec<Integer> COUNT =
      Codec.word((out, count) -> out.writeVInt(count), WireInput::readVInt);

  private static final Codec<QueryRequest.OfShard> QUERIED =
      Codec.record(
          (out, shard) -> {
            WireValues.writeBytes(out, Json.bytes(TargetJson.target(shard.target())));
            out.writeVInt(shard.ordinal());
            WireValues.writeList(out, COUNT, shard.nearest());
          },
          in ->
              new QueryRequest.OfShard(
                  TargetJson.target(Json.parse(Objects.requireNonNull(WireValues.readBytes(in)))),
                  in.readVInt(),
                  WireValues.readList(in, COUNT)));

  private SearchCodecs() {}

  /// @param source of the question
  public static Codec<QueryAnswer> answer(SearchSource source, MappingFactory mappings) {
    Codec<ShardResult> results = ShardResultCodec.of(source, mappings);
    Codec<QueryAnswer.OfShard> shards =
        Codec.record(
            (out, shard) -> {
              ShardResult result = shard.result();
              Refusal failure = shard.failure();
              WireValues.writeFlag(out, result != null);
              if (result != null) {
                results.write(out, result);
              } else {
                RefusalCodec.INSTANCE.write(out, Objects.requireNonNull(failure));
              }
            },
            in -> ofShard(in, results));
    return Codec.record(
        (out, answer) -> {
          WireValues.writeList(out, shards, answer.shards());
          HITS.write(out, answer.hits());
        },
        in -> new QueryAnswer(WireValues.readList(in, shards), HITS.read(in)));
  }

  private static QueryAnswer.OfShard ofShard(WireInput in, Codec<ShardResult> results)
      throws IOException {
    boolean isAnswered = WireValues.readFlag(in);
    @Nullable ShardResult result = isAnswered ? results.read(in) : null;
    @Nullable Refusal failure = isAnswered ? null : RefusalCodec.INSTANCE.read(in);
    return new QueryAnswer.OfShard(result, failure);
  }

  private static void write(WireOutput out, QueryRequest request) throws IOException {
    out.writeString(request.search());
    WireValues.writeList(out, QUERIED, request.shards());
    out.writeVInt(request.shardsAsked());
    WireValues.writeBytes(out, Json.bytes(request.source().body()));
    out.writeVLong(request.nowMillis());
    out.writeVLong(request.elapsedMillis());
    Boolean isCached = request.isCached();
    out.writeByte((byte) (isCached == null ? 0 : isCached ? 1 : 2));
    WireValues.writeFlag(out, request.isWhole());
  }

  private static QueryRequest query(WireInput in) throws IOException {
    String search = in.readString();
    List<QueryRequest.OfShard> shards = WireValues.readList(in, QUERIED);
    int shardsAsked = in.readVInt();
    byte[] bytes = Objects.requireNonNull(WireValues.readBytes(in));
    ObjectNode body = Json.parseObject(bytes, 0, bytes.length);
    return new QueryRequest(
        search,
        shards,
        shardsAsked,
        SearchParser.travelled(body),
        in.readVLong(),
        in.readVLong(),
        flag(in.readByte()),
        WireValues.readFlag(in));
  }

  private static @Nullable Boolean flag(byte code) throws IOException {
    return switch (code) {
      case 0 -> null;
      case 1 -> true;
      case 2 -> false;
      default -> throw new IOException("no such flag [code=" + code + "]");
    };
  }

  private static void write(WireOutput out, FetchRequest request) throws IOException {
    out.writeString(request.search());
    WireValues.writeList(out, FETCHED, request.shards());
  }

  private static FetchRequest fetch(WireInput in) throws IOException {
    return new FetchRequest(in.readString(), WireValues.readList(in, FETCHED));
  }
}
