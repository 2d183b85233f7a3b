package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.StoreProbe;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Whether every node reads and writes a repository.
public final class RepositoryProof {
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final Broadcasts calls;
  private final RepositoryStores stores;
  private final Broadcast nodes;

  /// Answers other nodes from now on.
  public RepositoryProof(Broadcasts calls, RepositoryStores stores) {
    this.calls = calls;
    this.stores = stores;
    this.nodes = calls.call("repository", this::here);
  }

  /// Writes an object and has every node read it; one that may only be read is listed by each.
  ///
  /// @return names of all nodes, by ephemeral id
  /// @throws Refusal `repository_verification_exception` when one of them does not see it
  SortedMap<String, String> verify(SnapshotRepository repository) throws InterruptedException {
    String key = "probe/" + calls.world().ids().uuid();
    boolean isWritten = !repository.isOwn() && !repository.definition().isReadOnly();
    ObjectNode question = repository.definition().json().put("name", repository.name());
    try {
      if (isWritten) {
        repository.store().put(key, ObjectBody.of(content(key)));
        question.put("key", key);
      }
      Broadcast.Seen seen = nodes.ask(question, WAIT, _ -> true);
      SortedMap<String, String> problems = new TreeMap<>(seen.silent());
      seen.nodes()
          .forEach((node, answer) -> {
            if (answer.has("problem")) {
              problems.put(node, answer.path("problem").asText());
            }
          });
      if (!problems.isEmpty()) {
        throw failed(repository, "[" + String.join("], [", told(problems)) + "]", null);
      }
    } catch (StoreException e) {
      throw failed(repository, "is not accessible on master node: " + e.getMessage(), e);
    } finally {
      if (isWritten) {
        forget(repository, key);
      }
    }
    SortedMap<String, String> names = new TreeMap<>();
    for (Member member : calls.metadata().current().members().values()) {
      names.put(member.id(), member.name());
    }
    return names;
  }

  private static List<String> told(SortedMap<String, String> problems) {
    return problems.entrySet().stream().map(one -> one.getKey() + ": " + one.getValue()).toList();
  }

  private static byte[] content(String key) {
    return key.getBytes(StandardCharsets.US_ASCII);
  }

  private static void forget(SnapshotRepository repository, String key) {
    try {
      repository.store().deleteAll(List.of(key));
    } catch (StoreException e) {
      // It says nothing, and nobody reads it.
    }
  }

  private static Refusal failed(
      SnapshotRepository repository, String why, @org.jspecify.annotations.Nullable Throwable e) {
    return new Refusal(ErrorType.REPOSITORY_VERIFICATION, "[" + repository.name() + "] " + why, e);
  }

  /// What this node sees.
  private JsonNode here(ObjectNode question) {
    ObjectNode answer = Json.object();
    try {
      SnapshotRepository repository =
          stores.open(Repository.read(question.path("name").asText(), question));
      String key = question.path("key").asText("");
      if (key.isEmpty()) {
        var _ = repository.store().list(repository.folder(), "", 1);
      } else {
        var read = repository.store().get(key);
        if (read.isEmpty() || !Arrays.equals(read.get().bytes(), content(key))) {
          answer.put(
              "problem",
              "a file written by another node to the store ["
                  + repository.store().name()
                  + "] cannot be accessed on this node; the location must be shared");
        }
      }
    } catch (StoreException | Refusal e) {
      answer.put("problem", String.valueOf(e.getMessage()));
    }
    return answer;
  }

  /// Asks the store whether it keeps its promises: some sixty small requests.
  ///
  /// @return what is shown of it
  /// @throws Refusal `repository_verification_exception` when it does not
  Map<String, Object> analyze(SnapshotRepository repository) throws InterruptedException {
    long startNanos = calls.world().clock().nanoTime();
    try {
      StoreProbe.check(repository.store(), calls.world());
    } catch (StoreException e) {
      throw failed(repository, "analysis failed: " + e.getMessage(), e);
    }
    SortedMap<String, String> seen = verify(repository);
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("coordinating_node", Map.of("id", calls.self().id(), "name", calls.self().name()));
    shown.put("blob_path", repository.store().name());
    shown.put("issues_detected", List.of());
    shown.put("nodes", seen.keySet());
    long tookNanos = calls.world().clock().nanoTime() - startNanos;
    shown.put("listing_elapsed_nanos", tookNanos);
    shown.put("delete_elapsed_nanos", 0L);
    return shown;
  }
}
