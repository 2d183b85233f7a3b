package dev.holdfast.search.context;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.compoundcommit.PointInTimePin.Pinned;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.search.choice.RenewedTargets;
import dev.holdfast.search.held.HeldCommit;
import dev.holdfast.search.held.PinKeeping;
import dev.holdfast.search.held.PinStore;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Points in time (§6.1): commits that stay searchable while their indices change, and while the
/// nodes that hold them die. Opening one uploads what is not in the store yet and puts one pin; a
/// search of it asks the store for nothing on the pin's account.
public final class PointsInTime {
  private static final Logger LOG = LoggerFactory.getLogger(PointsInTime.class);

  /// While a point in time is being opened its commits are held for so long at least: uploads and
  /// the pin take the time that the store takes.
  private static final Duration OPENING = Duration.ofMinutes(5);

  private final World world;
  private final PinStore pins;
  private final Metadata metadata;
  private final SearchNodes nodes;
  private final CommitUpload upload;
  private final RoutedContexts contexts;
  private final ContextCalls calls;

  public PointsInTime(
      World world,
      ObjectStore store,
      Metadata metadata,
      SearchNodes nodes,
      CommitUpload upload,
      RoutedContexts contexts,
      ContextCalls calls) {
    this.world = world;
    this.pins = new PinStore(store);
    this.metadata = metadata;
    this.nodes = nodes;
    this.upload = upload;
    this.contexts = contexts;
    this.calls = calls;
  }

  /// Keeps the commits that the shards are searched at now.
  ///
  /// @param keepAlive it may be closed when nobody asked for it that long
  /// @throws Refusal when a shard can't be held, or its commit can't be put into the store
  public ContextIds open(List<ShardTarget> targets, Duration keepAlive)
      throws IOException, InterruptedException {
    return new RenewedTargets(world, metadata).run(targets, now -> openNow(now, keepAlive));
  }

  private ContextIds openNow(List<ShardTarget> targets, Duration keepAlive)
      throws IOException, InterruptedException {
    String id = world.ids().uuid();
    long untilMillis = PinKeeping.untilMillis(world.clock().epochMillis(), keepAlive.toMillis());
    List<ContextIds.Held> held = new ArrayList<>();
    List<Pinned> pinned = new ArrayList<>();
    boolean isDone = false;
    try {
      for (ShardTarget target : targets) {
        HeldCommit.Pin pin = new HeldCommit.Pin(id, held.isEmpty(), untilMillis);
        Duration untilOpen = keepAlive.compareTo(OPENING) > 0 ? keepAlive : OPENING;
        ObjectNode opened = contexts.openPinned(target, untilOpen, pin);
        held.add(new ContextIds.Held(target.shard(), TargetJson.context(opened)));
        pinned.add(pinned(target, opened));
        if (!opened.path("is_uploaded").asBoolean()) {
          upload.run(StoredCommit.read(target.shard(), opened));
        }
      }
      if (!targets.isEmpty()) {
        pins.put(new PointInTimePin(id, untilMillis, pinned));
        requireHeld(held, keepAlive);
      }
      isDone = true;
      return new ContextIds(ShardContexts.Kind.POINT_IN_TIME, targets.isEmpty() ? "" : id, held);
    } finally {
      if (!isDone) {
        int _ = close(new ContextIds(ShardContexts.Kind.POINT_IN_TIME, id, held));
      }
    }
  }

  private static Pinned pinned(ShardTarget target, ObjectNode opened) {
    StoredCommit commit = StoredCommit.read(target.shard(), opened);
    JsonNode filter = target.filter();
    return new Pinned(
        commit.shard(),
        commit.primaryTerm(),
        commit.generation(),
        commit.blobs(),
        filter == null ? "" : filter.toString());
  }

  /// Blobs that were held while the pin was put are seen by all who delete: they look at the pins
  /// after a blob has become loose.
  private void requireHeld(List<ContextIds.Held> held, Duration keepAlive) {
    for (ContextIds.Held one : held) {
      ObjectNode body = Json.object().put("keep_millis", keepAlive.toMillis());
      if (calls.each(NodeQuestion.KEEP, Map.of(one.context(), body)).isEmpty()) {
        throw new Refusal(
            ErrorType.NO_SHARD_AVAILABLE,
            "a search node was lost while a point in time was being opened on " + one.shard());
      }
    }
  }

  /// Ends a point in time on all nodes, and its pin.
  ///
  /// @return how many of its commits there were
  public int close(ContextIds ids) throws IOException {
    if (ids.pin().isEmpty()) {
      return 0;
    }
    int closed = 0;
    ObjectNode body = Json.object().put("pin", ids.pin());
    for (Member member : metadata.current().members().values()) {
      if (member.roles().contains(Role.SEARCH)) {
        closed += close(member.id(), body);
      }
    }
    if (closed == 0) { // nobody has asked for it since its nodes are gone
      Optional<PointInTimePin> pin = pins.find(ids.pin());
      closed = pin.map(found -> found.commits().size()).orElse(0);
    }
    pins.delete(ids.pin());
    return Math.min(closed, ids.shards().size());
  }

  private int close(String member, ObjectNode body) {
    try {
      return nodes.member(member).ask(NodeQuestion.CLOSE_PINNED, body).path("number").asInt();
    } catch (IOException | Refusal e) {
      LOG.debug("a node's part of a point in time closes by itself [node={}]", member, e);
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TASK_CANCELLED, "interrupted while waiting for a node", e);
    }
  }
}
