package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something on every shard of some indices and answers how many succeeded: the shape that
/// `_refresh`, `_flush` and `_forcemerge` share. A shard that fails keeps no other from it; one
/// whose index is deleted or closed meanwhile has neither succeeded nor failed.
///
/// @param atOnce shards at the same time: one that is not open is waited for
record ShardOperations(World world, int atOnce) {
  /// Of what is short, or waits for the store.
  static final int SIDE_BY_SIDE = 16;

  private static final Logger LOG = LoggerFactory.getLogger(ShardOperations.class);

  /// What to do on a shard.
  interface Work {
    void on(ShardId shard) throws Exception;
  }

  Answer each(List<IndexMetadata> indices, Work work) throws InterruptedException {
    return Answer.of(200, done(indices, work));
  }

  /// The body of the answer.
  ///
  /// @throws Refusal the first failure, when all have failed
  ObjectNode done(List<IndexMetadata> indices, Work work) throws InterruptedException {
    List<ShardId> shards = new ArrayList<>();
    List<Callable<Boolean>> pieces = new ArrayList<>();
    int copies = 0;
    for (IndexMetadata index : indices) {
      int replicas = Integer.parseInt(index.setting("index.number_of_replicas", "1"));
      copies += index.shards() * (1 + replicas);
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        shards.add(shard);
        pieces.add(() -> {
          work.on(shard);
          return true;
        });
      }
    }
    List<FanOut.Outcome<Boolean>> outcomes =
        FanOut.of(world, "shard-operation").atOnce(atOnce).outcomes(pieces);
    List<Refusal> failures = new ArrayList<>();
    int gone = 0;
    for (int i = 0; i < shards.size(); i++) {
      if (outcomes.get(i) instanceof FanOut.Failed<Boolean> failed) {
        if (isGone(failed.why())) {
          gone++;
        } else {
          failures.add(failure(shards.get(i), failed.why()));
        }
      }
    }
    if (!failures.isEmpty() && failures.size() == shards.size()) {
      throw failures.getFirst();
    }
    return body(copies, shards.size() - gone - failures.size(), failures);
  }

  private static boolean isGone(Throwable why) {
    return why instanceof Refusal refusal
        && (refusal.type() == ErrorType.SHARD_NOT_FOUND
            || refusal.type() == ErrorType.INDEX_CLOSED);
  }

  private static Refusal failure(ShardId shard, Throwable why) {
    if (!(why instanceof Refusal)) {
      LOG.warn("an operation of an API failed on a shard [shard={}]", shard, why);
    }
    return ErrorBody.refusal(why).with("index", shard.index().name()).with("shard", shard.number());
  }

  private static ObjectNode body(int copies, int successful, List<Refusal> failures) {
    ObjectNode answer = Json.object();
    ObjectNode counts = answer.putObject("_shards");
    counts.put("total", copies);
    counts.put("successful", successful);
    counts.put("failed", failures.size());
    if (!failures.isEmpty()) {
      ArrayNode shown = counts.putArray("failures");
      for (Refusal failure : failures) {
        ObjectNode one = shown.addObject();
        one.putPOJO("shard", failure.metadata().get("shard"));
        one.put("index", String.valueOf(failure.metadata().get("index")));
        one.put("status", nameOf(failure.status()));
        one.putObject("reason").put("type", failure.type().type()).put("reason", failure.reason());
      }
    }
    return answer;
  }

  /// Elasticsearch's name of a status of HTTP.
  private static String nameOf(int status) {
    return switch (status) {
      case 400 -> "BAD_REQUEST";
      case 403 -> "FORBIDDEN";
      case 404 -> "NOT_FOUND";
      case 408 -> "REQUEST_TIMEOUT";
      case 409 -> "CONFLICT";
      case 429 -> "TOO_MANY_REQUESTS";
      case 503 -> "SERVICE_UNAVAILABLE";
      default -> "INTERNAL_SERVER_ERROR";
    };
  }
}
