package dev.holdfast.search.context;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The id of a scroll or of a point in time as clients hold it: opaque text that names, for each
/// shard, the node and its context.
///
/// @param pin of the point in time; empty for none
/// @param pages of a scroll that its client has seen
public record ContextIds(ShardContexts.Kind kind, String pin, long pages, List<Held> shards) {
  private static final int VERSION = 3;
  private static final int SHARDS_MAX = 100_000;

  /// A shard and its context.
  ///
  /// @param spare of a scroll, with the same commit on another node; null for none
  public record Held(ShardId shard, ContextId context, @Nullable ContextId spare) {
    public Held(ShardId shard, ContextId context) {
      this(shard, context, null);
    }

    /// The one of the two that is not given.
    public @Nullable ContextId other(ContextId one) {
      return one.equals(context) ? spare : context;
    }
  }

  public ContextIds {
    shards = List.copyOf(shards);
  }

  public ContextIds(ShardContexts.Kind kind, List<Held> shards) {
    this(kind, "", 0, shards);
  }

  public ContextIds(ShardContexts.Kind kind, String pin, List<Held> shards) {
    this(kind, pin, 0, shards);
  }

  /// The same scroll when its client has that many pages.
  public ContextIds after(long pagesNow, List<Held> held) {
    return new ContextIds(kind, pin, pagesNow, held);
  }

  private static int code(ShardContexts.Kind kind) {
    return switch (kind) {
      case SCROLL -> 0;
      case POINT_IN_TIME -> 1;
    };
  }

  /// The text, of letters that need no escape in URLs.
  public String text() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeByte(code(kind));
      out.writeUTF(pin);
      out.writeLong(pages);
      out.writeInt(shards.size());
      for (Held held : shards) {
        out.writeUTF(held.shard.index().name());
        out.writeUTF(held.shard.index().uuid());
        out.writeInt(held.shard.number());
        out.writeUTF(held.context.node());
        out.writeLong(held.context.number());
        out.writeUTF(held.spare == null ? "" : held.spare.node());
        out.writeLong(held.spare == null ? 0 : held.spare.number());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getUrlEncoder().encodeToString(bytes.toByteArray());
  }

  /// @throws Refusal `illegal_argument_exception` when it is no such text, and
  ///   `search_context_missing_nodes_exception` when it is one of Elasticsearch's
  public static ContextIds parse(ShardContexts.Kind kind, String text) {
    String what = kind == ShardContexts.Kind.SCROLL ? "scroll id" : "point in time id";
    if (kind == ShardContexts.Kind.SCROLL) {
      ForeignScroll.nodes(text).ifPresent(ContextIds::refuseForeign);
    }
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Base64.getUrlDecoder().decode(text)))) {
      int version = in.readByte();
      int given = in.readByte();
      if (version != VERSION || given != code(kind)) {
        throw Refusal.badArgument("Cannot parse " + what);
      }
      String pin = in.readUTF();
      long pages = in.readLong();
      int count = in.readInt();
      if (count < 0 || count > SHARDS_MAX || !pin.matches("[A-Za-z0-9_-]{0,64}")) {
        throw Refusal.badArgument("Cannot parse " + what);
      }
      List<Held> shards = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        IndexId index = new IndexId(in.readUTF(), in.readUTF());
        ShardId shard = new ShardId(index, in.readInt());
        ContextId context = new ContextId(in.readUTF(), in.readLong(), kind, pin);
        String spareNode = in.readUTF();
        long spare = in.readLong();
        shards.add(
            new Held(
                shard,
                context,
                spareNode.isEmpty() ? null : new ContextId(spareNode, spare, kind)));
      }
      return new ContextIds(kind, pin, pages, shards);
    } catch (IOException | IllegalArgumentException e) {
      throw Refusal.badArgument("Cannot parse " + what);
    }
  }

  private static void refuseForeign(Collection<String> nodes) {
    throw new Refusal(
        ErrorType.SEARCH_CONTEXT_MISSING_NODES,
        "Search context of type [scroll] references nodes that have left the cluster: " + nodes);
  }
}
