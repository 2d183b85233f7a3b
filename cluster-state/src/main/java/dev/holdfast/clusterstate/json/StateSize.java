package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How large a state becomes as it is written. Each node holds all of it, several times over while
/// it is written and read: a state that outgrows the heap ends every node, and every start after.
/// So large changes are refused before. Small ones never are, else the cluster could not even tell
/// of its uploads; nor is what makes it smaller.
public final class StateSize {
  /// A state takes no more than one part in so many of the heap.
  private static final int HEAP_SHARE = 16;

  /// A change that adds no more is small.
  private static final long SMALL_BYTES = 64 << 10;

  private final long bytesMax;
  private @Nullable ClusterState measured;
  private long bytes;

  public StateSize() {
    this(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /// @param bytesMax above which a state grows in small steps only
  public StateSize(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Whether a change may be made.
  public boolean isBearable(ClusterState before, ClusterState after) {
    long more = growth(before, after);
    return more <= SMALL_BYTES || bytes(before) + more <= bytesMax;
  }

  /// @throws Refusal `illegal_argument_exception` when the change may not be made
  public void requireBearable(ClusterState before, ClusterState after) {
    if (!isBearable(before, after)) {
      throw Refusal.badArgument(
          "the cluster state would take ["
              + new ByteSize(bytes(before) + growth(before, after))
              + "], which is more than the nodes' memory bears ["
              + new ByteSize(bytesMax)
              + "]: make what is added smaller, or delete indices, templates, pipelines, aliases or"
              + " settings");
    }
  }

  @SuppressWarnings("ReferenceEquality") // a state that did not change is the same object
  private synchronized long bytes(ClusterState state) {
    ClusterState last = measured;
    if (last != state) {
      bytes += growth(last == null ? ClusterState.empty("") : last, state);
      measured = state;
    }
    return bytes;
  }

  @SuppressWarnings("ReferenceEquality") // parts that did not change are the same objects
  private static long growth(ClusterState before, ClusterState after) {
    long more = 0;
    if (!before.settings().equals(after.settings())) {
      more += length(StateJson.settings(after.settings()));
      more -= length(StateJson.settings(before.settings()));
    }
    for (Map.Entry<String, JsonNode> custom : after.customs().entrySet()) {
      JsonNode old = before.customs().get(custom.getKey());
      if (old != custom.getValue()) {
        more += length(custom.getValue()) - (old == null ? 0 : length(old));
      }
    }
    for (Map.Entry<String, JsonNode> custom : before.customs().entrySet()) {
      more -= after.customs().containsKey(custom.getKey()) ? 0 : length(custom.getValue());
    }
    for (Map.Entry<String, IndexMetadata> index : after.indices().entrySet()) {
      IndexMetadata old = before.indices().get(index.getKey());
      if (old != index.getValue()) {
        more += length(StateJson.whole(after, index.getValue()));
        more -= old == null ? 0 : length(StateJson.whole(before, old));
      }
    }
    for (Map.Entry<String, IndexMetadata> index : before.indices().entrySet()) {
      more -=
          after.indices().containsKey(index.getKey())
              ? 0
              : length(StateJson.whole(before, index.getValue()));
    }
    return more;
  }

  private static long length(JsonNode json) {
    Counting counting = new Counting();
    try {
      Json.MAPPER.writeValue(counting, Objects.requireNonNull(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return counting.bytes;
  }

  private static final class Counting extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] from, int offset, int count) {
      bytes += count;
    }
  }
}
