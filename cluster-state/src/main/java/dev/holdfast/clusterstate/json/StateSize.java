package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How large a state becomes, as it is written and in memory: a list of empty objects takes thirty
/// times its text. Each node holds all of it, several times over while it is written and read: a
/// state that outgrows the heap ends every node, and every start after. So large changes are
/// refused before. Small ones never are, else the cluster could not even tell of its uploads; nor
/// is what makes it smaller.
public final class StateSize {
  /// A state as it is written takes no more than one part in so many of the heap.
  private static final int TEXT_SHARE = 16;

  /// The same in memory.
  private static final int MEMORY_SHARE = 8;

  /// A change that adds no more is small.
  private static final Size SMALL = new Size(64 << 10, 1 << 20);

  private final Size max;
  private @Nullable ClusterState measured;
  private Size size = Size.NONE;

  public StateSize() {
    this(
        Runtime.getRuntime().maxMemory() / TEXT_SHARE,
        Runtime.getRuntime().maxMemory() / MEMORY_SHARE);
  }

  /// @param textMax bytes of it as it is written, above which a state grows in small steps only
  /// @param memoryMax the same of it in memory
  public StateSize(long textMax, long memoryMax) {
    this.max = new Size(textMax, memoryMax);
  }

  /// In bytes.
  ///
  /// @param text as it is written
  /// @param memory of its trees, roughly
  private record Size(long text, long memory) {
    private static final Size NONE = new Size(0, 0);

    static Size of(JsonNode json) {
      Counting counting = new Counting();
      try {
        Json.MAPPER.writeValue(counting, Objects.requireNonNull(json));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Size(counting.bytes, JsonMemory.of(json));
    }

    Size plus(Size other) {
      return new Size(text + other.text, memory + other.memory);
    }

    Size minus(Size other) {
      return new Size(text - other.text, memory - other.memory);
    }

    boolean isWithin(Size limit) {
      return text <= limit.text && memory <= limit.memory;
    }
  }

  /// Whether a change may be made.
  public boolean isBearable(ClusterState before, ClusterState after) {
    Size more = growth(before, after);
    return more.isWithin(SMALL) || isRoomFor(size(before), more);
  }

  /// Only what a change adds to is refused for being too much.
  private boolean isRoomFor(Size before, Size more) {
    return (more.text <= 0 || before.text + more.text <= max.text)
        && (more.memory <= 0 || before.memory + more.memory <= max.memory);
  }

  /// @throws Refusal `illegal_argument_exception` when the change may not be made
  public void requireBearable(ClusterState before, ClusterState after) {
    if (!isBearable(before, after)) {
      Size wanted = size(before).plus(growth(before, after));
      boolean isText = wanted.text > max.text;
      throw Refusal.badArgument(
          "the cluster state would take ["
              + new ByteSize(isText ? wanted.text : wanted.memory)
              + (isText ? "]" : "] of memory")
              + ", which is more than the nodes' memory bears ["
              + new ByteSize(isText ? max.text : max.memory)
              + "]: make what is added smaller, or delete indices, templates, pipelines, aliases or"
              + " settings");
    }
  }

  @SuppressWarnings("ReferenceEquality") // a state that did not change is the same object
  private synchronized Size size(ClusterState state) {
    ClusterState last = measured;
    if (last != state) {
      size = size.plus(growth(last == null ? ClusterState.empty("") : last, state));
      measured = state;
    }
    return size;
  }

  @SuppressWarnings("ReferenceEquality") // parts that did not change are the same objects
  private static Size growth(ClusterState before, ClusterState after) {
    Size more = Size.NONE;
    if (!before.settings().equals(after.settings())) {
      more = more.plus(Size.of(StateJson.settings(after.settings())));
      more = more.minus(Size.of(StateJson.settings(before.settings())));
    }
    for (Map.Entry<String, JsonNode> custom : after.customs().entrySet()) {
      JsonNode old = before.customs().get(custom.getKey());
      if (old != custom.getValue()) {
        more = more.plus(Size.of(custom.getValue()));
        more = more.minus(old == null ? Size.NONE : Size.of(old));
      }
    }
    for (Map.Entry<String, JsonNode> custom : before.customs().entrySet()) {
      if (!after.customs().containsKey(custom.getKey())) {
        more = more.minus(Size.of(custom.getValue()));
      }
    }
    for (Map.Entry<String, IndexMetadata> index : after.indices().entrySet()) {
      IndexMetadata old = before.indices().get(index.getKey());
      if (old != index.getValue()) {
        more = more.plus(Size.of(StateJson.whole(after, index.getValue())));
        more = more.minus(old == null ? Size.NONE : Size.of(StateJson.whole(before, old)));
      }
    }
    for (Map.Entry<String, IndexMetadata> index : before.indices().entrySet()) {
      if (!after.indices().containsKey(index.getKey())) {
        more = more.minus(Size.of(StateJson.whole(before, index.getValue())));
      }
    }
    return more;
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
