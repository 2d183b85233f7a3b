package dev.holdfast.clusterstate.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.Json;
import java.io.IOException;

/// The content of `cluster/lease`: who leads, under which term, and what every node needs to see at
/// once (§2.2, §5). It is only ever changed by compare-and-set; each change makes other bytes than
/// any before, because `beat` or `term` grows.
///
/// @param term grows with each new leader
/// @param leader ephemeral id of the node that leads
/// @param address where it can be reached, for people and for nodes that join
/// @param nodeLeftGeneration grows with each node that the leader evicts
/// @param beat grows with each sign of life
/// @param challenger a node that doubts the leader lives and waits for a sign; empty for none
/// @param isCleanStop the leader has stopped in order: its successor need not wait
/// @param stateTerm of the newest state that was in the store when this was written; 0: none was
/// @param stateOrdinal of that state: who reads less than this reads a state that is incomplete
public record Lease(
    long term,
    String leader,
    String address,
    long nodeLeftGeneration,
    long beat,
    String challenger,
    boolean isCleanStop,
    long stateTerm,
    long stateOrdinal) {

  public static final String KEY = "cluster/lease";
  private static final String MAGIC = "HFLE";
  private static final int VERSION = 1;

  /// A new leader's lease, following this one.
  public Lease claimedBy(String node, String itsAddress) {
    return new Lease(
        term + 1,
        node,
        itsAddress,
        nodeLeftGeneration + 1,
        beat + 1,
        "",
        false,
        stateTerm,
        stateOrdinal);
  }

  /// The same leader's, under a higher term: of a state that is made anew.
  public Lease raisedTo(long higherTerm) {
    return new Lease(
        higherTerm,
        leader,
        address,
        nodeLeftGeneration + 1,
        beat + 1,
        "",
        false,
        stateTerm,
        stateOrdinal);
  }

  public Lease challengedBy(String node) {
    return new Lease(
        term,
        leader,
        address,
        nodeLeftGeneration,
        beat,
        node,
        isCleanStop,
        stateTerm,
        stateOrdinal);
  }

  /// The leader's sign of life.
  public Lease beating() {
    return beaten(nodeLeftGeneration, "", isCleanStop);
  }

  public Lease stopped() {
    return beaten(nodeLeftGeneration, "", true);
  }

  /// The leader evicts members: whoever acts for the cluster must look whether it is one of them.
  public Lease afterEviction() {
    return beaten(nodeLeftGeneration + 1, challenger, isCleanStop);
  }

  private Lease beaten(long generation, String challengedBy, boolean isStopped) {
    return new Lease(
        term,
        leader,
        address,
        generation,
        beat + 1,
        challengedBy,
        isStopped,
        stateTerm,
        stateOrdinal);
  }

  /// Says how far the state log reaches, once the leader of this term has written to it.
  ///
  /// @param ordinal of the newest state of this term that is in the store; -1: none is
  public Lease withState(long ordinal) {
    return ordinal < 0
        ? this
        : new Lease(
            term,
            leader,
            address,
            nodeLeftGeneration,
            beat,
            challenger,
            isCleanStop,
            term,
            ordinal);
  }

  /// The lease before the first one.
  public static Lease none() {
    return new Lease(0, "", "", 0, 0, "", true, 0, 0);
  }

  public ObjectNode json() {
    ObjectNode json = Json.object();
    json.put("term", term).put("leader", leader).put("address", address);
    json.put("node_left_generation", nodeLeftGeneration).put("beat", beat);
    json.put("challenger", challenger).put("clean_stop", isCleanStop);
    json.put("state_term", stateTerm).put("state_ordinal", stateOrdinal);
    return json;
  }

  static Lease of(ObjectNode json) {
    return new Lease(
        json.path("term").asLong(),
        json.path("leader").asText(),
        json.path("address").asText(),
        json.path("node_left_generation").asLong(),
        json.path("beat").asLong(),
        json.path("challenger").asText(),
        json.path("clean_stop").asBoolean(),
        json.path("state_term").asLong(),
        json.path("state_ordinal").asLong());
  }

  public byte[] bytes() {
    return seal(json());
  }

  public static Lease read(byte[] bytes) throws IOException {
    return of(open(bytes));
  }

  public static byte[] seal(ObjectNode json) {
    return ChecksummedBytes.seal(MAGIC, VERSION, Json.bytes(json));
  }

  public static ObjectNode open(byte[] bytes) throws IOException {
    byte[] payload = ChecksummedBytes.open(MAGIC, VERSION, bytes, KEY);
    return Json.parseObject(payload, 0, payload.length);
  }
}
