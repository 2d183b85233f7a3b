package dev.holdfast.api.broadcast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/// Asks every node of the cluster the same question, side by side, and waits for the answers until
/// a deadline; nodes that do not answer are named, and hold up nobody.
public final class Broadcast {
  /// What the names of these calls begin with; builds before this one know them by it.
  static final String FAMILY = "eyes/";

  public static final String TIMEOUT = "timeout";
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private final Broadcasts calls;
  private final Call<String, String> call;
  private final BroadcastAnswer here;

  Broadcast(Broadcasts calls, String name, BroadcastAnswer here) {
    this.calls = calls;
    this.here = here;
    this.call = new Call<>(FAMILY + name, WireValues.STRING, WireValues.STRING, WAIT_MAX);
    call.serve(calls.network(), question -> here.look(Json.parseObject(question)).toString());
  }

  /// @param nodes answers by ephemeral id
  /// @param silent why a node did not answer, by ephemeral id
  public record Seen(SortedMap<String, JsonNode> nodes, SortedMap<String, String> silent) {
    /// Adds `silent_nodes`.
    public void nameSilent(ObjectNode answer) {
      ObjectNode named = answer.putObject("silent_nodes");
      silent.forEach(named::put);
    }
  }

  /// Asks all nodes.
  public Seen ask(ObjectNode question, ApiRequest request) throws InterruptedException {
    return ask(question, request, _ -> true);
  }

  /// As above, of some nodes.
  public Seen ask(ObjectNode question, ApiRequest request, Predicate<Member> isMeant)
      throws InterruptedException {
    return ask(question, timeout(request), isMeant);
  }

  /// How long a request waits for nodes: `timeout`.
  public static Duration timeout(ApiRequest request) {
    Duration asked = request.duration(TIMEOUT, WAIT);
    boolean isTooLong = asked.compareTo(WAIT_MAX) > 0 || asked.isNegative();
    return isTooLong ? WAIT_MAX : asked;
  }

  /// As above, within that time.
  public Seen ask(ObjectNode question, Duration wait, Predicate<Member> isMeant)
      throws InterruptedException {
    List<String> members = new ArrayList<>();
    List<Callable<JsonNode>> asking = new ArrayList<>();
    for (Member member : calls.metadata().current().members().values()) {
      if (isMeant.test(member)) {
        members.add(member.id());
        asking.add(() -> look(member.id(), question));
      }
    }
    List<FanOut.Outcome<JsonNode>> outcomes =
        FanOut.of(calls.world(), "ask-node").within(wait).cancelling().outcomes(asking);
    SortedMap<String, JsonNode> nodes = new TreeMap<>();
    SortedMap<String, String> silent = new TreeMap<>();
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case FanOut.Done<JsonNode>(JsonNode answer) -> nodes.put(members.get(i), answer);
        case FanOut.Failed<JsonNode>(Throwable why) ->
            silent.put(
                members.get(i),
                why instanceof IOException ? String.valueOf(why.getMessage()) : why.toString());
        case FanOut.Late<JsonNode> _ ->
            silent.put(members.get(i), "no answer within " + wait.toMillis() + " ms");
      }
    }
    return new Seen(nodes, silent);
  }

  /// Asks one node.
  ///
  /// @throws Refusal as the node threw it
  /// @throws IOException when it does not answer
  JsonNode askOne(String member, ObjectNode question) throws Exception {
    return look(member, question);
  }

  private JsonNode look(String member, ObjectNode question) throws Exception {
    return member.equals(calls.self().id())
        ? here.look(question)
        : Json.parse(call.ask(calls.peers().member(member), question.toString()));
  }
}
