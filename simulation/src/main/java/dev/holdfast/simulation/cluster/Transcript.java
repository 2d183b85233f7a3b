package dev.holdfast.simulation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.log.StateObjects;
import dev.holdfast.objectstore.ObjectStore.Creation;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What each process of a cluster does to lead, follow, join, publish and move shards, step by step
/// and in words: its writes of the lease and of the state log, the fences that it makes, and its
/// calls to other members. What it says or does again without anything having changed, as a beat,
/// is told once; uploads, which go on beside, are left out. Without times, which shift with every
/// draw of chance.
public final class Transcript {
  private static final String MEMBER_CALL = "HFCM";
  private static final String UPLOADS = "shards were uploaded";

  /// Names of processes by ephemeral id.
  private final Map<String, String> names = new TreeMap<>();

  private final SortedMap<String, List<String>> steps = new TreeMap<>();

  /// What a process has said since something last changed for it.
  private final Map<String, Set<String>> said = new TreeMap<>();

  void named(String ephemeralId, String process) {
    names.put(ephemeralId, process);
  }

  /// Something that happens to a process.
  public void happens(String process, String what) {
    add(process, "-- " + what, true);
  }

  /// A write that was sent, and how it ended.
  void stored(
      String process,
      Intercepted.Call call,
      Object answer,
      Optional<StoredObject> before,
      Optional<StoredObject> after)
      throws IOException {
    String key = call.key();
    switch (call.verb()) {
      case COMPARE_AND_SET -> {
        if (key.equals("cluster/lease") && after.isPresent()) {
          lease(process, answer instanceof Swap.Swapped, before, after.get());
        }
      }
      case PUT_IF_ABSENT -> {
        boolean isTaken = answer instanceof Creation.AlreadyExists;
        if (key.startsWith("cluster/state/") && after.isPresent()) {
          JsonNode state = StateObjects.open(after.get().bytes(), key);
          String what = state.path("kind").asText().equals("fence") ? "fence" : state(state);
          if (!isOfUploads(state)) {
            add(process, "writes " + place(key) + (isTaken ? ": taken" : ": " + what), true);
          }
        } else if (key.startsWith("log/")) {
          String owner = name(key.split("/")[1]);
          add(
              process,
              owner.equals(process) ? "writes its log" : "fences the log of " + owner,
              !owner.equals(process));
        }
      }
      default -> {} // reads change nothing, and what is deleted nobody needs
    }
  }

  private void lease(
      String process, boolean isSwapped, Optional<StoredObject> before, StoredObject after)
      throws IOException {
    if (!isSwapped) {
      add(process, "loses the race for the lease", true);
      return;
    }
    Lease old = before.isPresent() ? Lease.read(before.get().bytes()) : Lease.none();
    Lease now = Lease.read(after.bytes());
    String what;
    if (now.term() != old.term()) {
      what = "takes the lease: term " + now.term();
    } else if (!now.challenger().equals(old.challenger())) {
      what = now.challenger().isEmpty() ? "answers the challenge" : "challenges the leader";
    } else if (now.isCleanStop()) {
      what = "gives the lease back";
    } else if (now.nodeLeftGeneration() != old.nodeLeftGeneration()) {
      what = "node-left generation " + now.nodeLeftGeneration() + " into the lease";
    } else {
      what = "end of the state log into the lease";
    }
    add(process, what, true);
  }

  /// A call that is about to leave.
  void called(String process, String to, String call, byte[] request) {
    if (!call.startsWith("cluster/") || call.equals("cluster/reach")) {
      return;
    }
    try {
      JsonNode json = Json.parse(ChecksummedBytes.open(MEMBER_CALL, 1, request, call));
      if (isOfUploads(json.path("state")) || json.path("reason").asText().equals(UPLOADS)) {
        return;
      }
      String what =
          switch (call) {
            case "cluster/state" -> "tells " + state(json.path("state")) + standing(json);
            case "cluster/propose" -> "proposes " + worded(json.path("reason").asText());
            default -> call.substring("cluster/".length());
          };
      String other = name(json.path("to").asText());
      add(process, what + " to " + (other.isEmpty() ? to : other), false);
    } catch (IOException e) {
      throw new IllegalStateException("a call that nobody understands [call=" + call + "]", e);
    }
  }

  /// Whether a delta only says how far shards were uploaded, which goes on beside everything else.
  private static boolean isOfUploads(JsonNode state) {
    JsonNode customs = state.path("customs");
    boolean isOfUploads = state.has("base") && !customs.isEmpty();
    for (Map.Entry<String, JsonNode> custom : customs.properties()) {
      isOfUploads &= custom.getKey().startsWith("upload_marks/");
    }
    return isOfUploads
        && !state.has("members")
        && state.path("indices").isEmpty()
        && state.path("assignments").isEmpty();
  }

  private static String standing(JsonNode news) {
    return news.path("standing").path("is_member").asBoolean() ? "" : ", a member no more,";
  }

  /// What is in a state or a delta: who is a member, where shards are.
  private String state(JsonNode state) {
    if (state.isEmpty()) {
      return "nothing new";
    }
    StringBuilder text = new StringBuilder("state " + state.path("version").asLong());
    List<String> parts = new ArrayList<>();
    if (!state.path("members").isEmpty()) {
      List<String> members = new ArrayList<>();
      state
          .path("members")
          .properties()
          .forEach(member ->
              members.add(
                  name(member.getKey())
                      + (member.getValue().path("draining").asBoolean() ? " draining" : "")));
      parts.add("members " + String.join(" ", members.stream().sorted().toList()));
    }
    state.path("indices").fieldNames().forEachRemaining(index -> parts.add("index " + index));
    state
        .path("assignments")
        .properties()
        .forEach(index -> {
          int number = 0;
          for (JsonNode shard : index.getValue()) {
            parts.add(index.getKey() + "[" + number++ + "] " + assignment(shard));
          }
        });
    state.path("customs").fieldNames().forEachRemaining(parts::add);
    return (parts.isEmpty() ? text : text.append(" {").append(String.join(", ", parts)).append('}'))
        .toString();
  }

  private String assignment(JsonNode shard) {
    StringBuilder text = new StringBuilder("at " + name(shard.path("owner").asText()));
    if (!shard.path("target").asText().isEmpty()) {
      text.append(" moves to ").append(name(shard.path("target").asText()));
    }
    SortedMap<String, String> copies = new TreeMap<>();
    shard
        .path("copies")
        .properties()
        .forEach(copy -> copies.put(name(copy.getKey()), copy.getValue().asText()));
    copies.forEach((node, copy) -> text.append("; ").append(copy).append(" on ").append(node));
    return text.toString();
  }

  private String worded(String reason) {
    String text = reason;
    for (Map.Entry<String, String> name : names.entrySet()) {
      text = text.replace(name.getKey(), name.getValue());
    }
    return text;
  }

  private String name(String ephemeralId) {
    return names.getOrDefault(ephemeralId, ephemeralId);
  }

  private static String place(String stateKey) {
    String[] parts = stateKey.split("/");
    return "state log " + Long.parseLong(parts[2], 16) + "/" + Long.parseLong(parts[3], 16);
  }

  /// Steps of a process; those that only differ in whom they are said to are put in order, since
  /// they are under way side by side.
  private void add(String process, String step, boolean isChange) {
    Set<String> before = said.computeIfAbsent(process, _ -> new HashSet<>());
    if (isChange) {
      before.clear();
    }
    if (!before.add(step)) {
      return;
    }
    List<String> mine = steps.computeIfAbsent(process, _ -> new ArrayList<>());
    int at = mine.size();
    while (at > 0 && isSame(mine.get(at - 1), step) && mine.get(at - 1).compareTo(step) > 0) {
      at--;
    }
    mine.add(at, step);
  }

  private static boolean isSame(String one, String other) {
    int to = one.lastIndexOf(" to node-");
    return to > 0 && other.startsWith(one.substring(0, to) + " to node-");
  }

  /// A section for each process.
  public String text() {
    StringBuilder text = new StringBuilder();
    steps.forEach((process, mine) -> {
      text.append(process).append('\n');
      mine.forEach(step -> text.append("  ").append(step).append('\n'));
    });
    return text.toString();
  }
}
