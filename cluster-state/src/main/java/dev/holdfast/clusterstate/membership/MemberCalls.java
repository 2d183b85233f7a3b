package dev.holdfast.clusterstate.membership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;

/// Calls between members: JSON with kind, version and checksum in front, and the name of whom it is
/// meant for, since another process may live at an address by now.
final class MemberCalls {
  private static final String MAGIC = "HFCM";
  private static final int VERSION = 1;

  private final Network network;
  private final String self;

  MemberCalls(Network network, String self) {
    this.network = network;
    this.self = self;
  }

  /// Another member, or what the lease says of one.
  record Peer(String id, String address) {
    static Peer of(Member member) {
      return new Peer(member.id(), member.address());
    }

    static Peer leader(Lease lease) {
      return new Peer(lease.leader(), lease.address());
    }
  }

  /// Answers a call.
  @FunctionalInterface
  interface Handler {
    ObjectNode answer(JsonNode request) throws Exception;
  }

  /// @throws Refusal `node_closed_exception` when another process lives at the address by now
  JsonNode call(Peer to, String call, ObjectNode request, Duration max)
      throws IOException, InterruptedException {
    ObjectNode whole = request.put("to", to.id());
    return open(network.call(to.address(), call, seal(whole), max), call);
  }

  void serve(String call, Handler handler) {
    network.serve(
        call,
        bytes -> {
          JsonNode request = open(bytes, call);
          if (!request.path("to").asText().equals(self)) {
            throw new Refusal(
                ErrorType.NODE_CLOSED,
                "another node lives at this address [expected="
                    + request.path("to").asText()
                    + ", found="
                    + self
                    + "]");
          }
          return seal(handler.answer(request));
        });
  }

  static byte[] seal(ObjectNode json) {
    return ChecksummedBytes.seal(MAGIC, VERSION, Json.bytes(json));
  }

  static JsonNode open(byte[] bytes, String call) throws IOException {
    return Json.parse(ChecksummedBytes.open(MAGIC, VERSION, bytes, call));
  }

  /// Whether a failed call shows that nobody of that name lives at that address now.
  static boolean isDeadEnd(Exception failure) {
    return switch (failure) {
      case Network.UnreachableException e -> e.getCause() instanceof ConnectException;
      case Refusal e -> e.type() == ErrorType.NODE_CLOSED;
      default -> false;
    };
  }
}
