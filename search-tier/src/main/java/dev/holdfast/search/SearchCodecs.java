package dev.holdfast.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.compoundcommit.call.Wire;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.query.Hit;
import dev.holdfast.query.SearchParser;
import dev.holdfast.query.SearchSource;
import dev.holdfast.query.ShardResult;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How the questions and answers of a search's phases travel.
final class SearchCodecs {
  static final Codec<QueryRequest> QUERY = Codec.record(SearchCodecs::write, SearchCodecs::query);

  static final Codec<FetchRequest> FETCH = Codec.record(SearchCodecs::write, SearchCodecs::fetch);

  static final Codec<List<Hit>> HITS = Wire.listOf(HitCodec.INSTANCE);

  private static final Codec<FetchRequest.OfShard> FETCHED =
      Codec.record(
          (out, shard) -> {
            out.writeVInt(shard.position());
            Wire.writeList(out, ShardResultCodec.HIT, shard.hits());
          },
          in -> new FetchRequest.OfShard(in.readVInt(), Wire.readList(in, ShardResultCodec.HIT)));

  private static final Codec<Integer> COUNT =
      Codec.word((out, count) -> out.writeVInt(count), WireInput::readVInt);

  private static final Codec<QueryRequest.OfShard> QUERIED =
      Codec.record(
          (out, shard) -> {
            Wire.writeBytes(out, Json.bytes(TargetJson.target(shard.target())));
            out.writeVInt(shard.ordinal());
            Wire.writeList(out, COUNT, shard.nearest());
          },
          in ->
              new QueryRequest.OfShard(
                  TargetJson.target(Json.parse(Objects.requireNonNull(Wire.readBytes(in)))),
                  in.readVInt(),
                  Wire.readList(in, COUNT)));

  private SearchCodecs() {}

  /// @param source of the question
  static Codec<QueryAnswer> answer(SearchSource source, MappingFactory mappings) {
    Codec<ShardResult> results = ShardResultCodec.of(source, mappings);
    Codec<QueryAnswer.OfShard> shards =
        Codec.record(
            (out, shard) -> {
              ShardResult result = shard.result();
              Refusal failure = shard.failure();
              Wire.writeFlag(out, result != null);
              if (result != null) {
                results.write(out, result);
              } else {
                RefusalCodec.INSTANCE.write(out, Objects.requireNonNull(failure));
              }
            },
            in -> ofShard(in, results));
    return Codec.record(
        (out, answer) -> {
          Wire.writeList(out, shards, answer.shards());
          HITS.write(out, answer.hits());
        },
        in -> new QueryAnswer(Wire.readList(in, shards), HITS.read(in)));
  }

  private static QueryAnswer.OfShard ofShard(WireInput in, Codec<ShardResult> results)
      throws IOException {
    boolean isAnswered = Wire.readFlag(in);
    @Nullable ShardResult result = isAnswered ? results.read(in) : null;
    @Nullable Refusal failure = isAnswered ? null : RefusalCodec.INSTANCE.read(in);
    return new QueryAnswer.OfShard(result, failure);
  }

  private static void write(WireOutput out, QueryRequest request) throws IOException {
    out.writeString(request.search());
    Wire.writeList(out, QUERIED, request.shards());
    out.writeVInt(request.shardsAsked());
    Wire.writeBytes(out, Json.bytes(request.source().body()));
    out.writeVLong(request.nowMillis());
    out.writeVLong(request.elapsedMillis());
    Boolean isCached = request.isCached();
    out.writeByte((byte) (isCached == null ? 0 : isCached ? 1 : 2));
    Wire.writeFlag(out, request.isWhole());
  }

  private static QueryRequest query(WireInput in) throws IOException {
    String search = in.readString();
    List<QueryRequest.OfShard> shards = Wire.readList(in, QUERIED);
    int shardsAsked = in.readVInt();
    byte[] bytes = Objects.requireNonNull(Wire.readBytes(in));
    ObjectNode body = Json.parseObject(bytes, 0, bytes.length);
    return new QueryRequest(
        search,
        shards,
        shardsAsked,
        SearchParser.travelled(body),
        in.readVLong(),
        in.readVLong(),
        flag(in.readByte()),
        Wire.readFlag(in));
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
    Wire.writeList(out, FETCHED, request.shards());
  }

  private static FetchRequest fetch(WireInput in) throws IOException {
    return new FetchRequest(in.readString(), Wire.readList(in, FETCHED));
  }
}
