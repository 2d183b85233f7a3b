package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Modes of indices while a cluster is upgraded.
final class IndexModeTest {
  private static final ObjectNode LOGS = Json.parseObject("{\"settings\":{\"mode\":\"logsdb\"}}");
  private static final ObjectNode SERIES =
      Json.parseObject(
          """
          {"settings":{"mode":"time_series","routing_path":"d"},
           "mappings":{"properties":{"d":{"type":"keyword","time_series_dimension":true}}}}\
          """);
  private static final ObjectNode DIMENSIONS =
      Json.parseObject(
          """
          {"mappings":{"properties":{"o":{"properties":{"p":{"type":"passthrough","priority":1,
            "time_series_dimension":true}}}}}}\
          """);
  private static final String TEMPLATE =
      "{\"l\":{\"index_patterns\":[\"logs-*-*\"],\"data_stream\":{},\"template\":{}}}";

  private static final class Speaking implements Metadata {
    private ClusterState state;

    Speaking(int version) {
      TreeMap<String, Object> settings = new TreeMap<>();
      settings.put(LogsMode.BY_DEFAULT, "true");
      state =
          ClusterState.empty("cluster")
              .withSettings(settings)
              .withCustom("minimum_version", IntNode.valueOf(version))
              .withCustom("index_templates", Json.parseObject(TEMPLATE));
    }

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      state = change.apply(state);
      return state;
    }

    @Override
    public void listen(Listener listener) {
      listener.changed(state, state);
    }
  }

  private static IndexCreation over(Metadata metadata) {
    return new IndexCreation(RealWorld.create(), metadata, new StandardMappings());
  }

  private static String modeOfStream(Speaking cluster) throws InterruptedException {
    String name = over(cluster).streams().create("logs-a-b").writeIndex();
    IndexMetadata index = Objects.requireNonNull(cluster.current().indices().get(name));
    return String.valueOf(index.settings().get("index.mode"));
  }

  @Test
  void membersThatWouldTakeThemForStandardOnesGetNone() throws Exception {
    // given
    Speaking cluster = new Speaking(Formats.INDEX_MODES - 1);
    // then: neither a new one, nor one that was made elsewhere
    for (ObjectNode body : new ObjectNode[] {LOGS, SERIES}) {
      assertThatThrownBy(() -> over(cluster).create("i", body))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining(
              "indices of [index.mode=" + body.at("/settings/mode").asText() + "] need a cluster")
          .hasMessageContaining("version 3 of its formats, this one speaks 2: upgrade all nodes");
    }
    IndexMetadata restored = over(new Speaking(Formats.INDEX_MODES)).create("i", SERIES);
    assertThatThrownBy(() -> IndexCreation.add(cluster.current(), restored))
        .hasMessageContaining("time_series");
    assertThat(cluster.current().indices()).isEmpty();
    // and: others, and a stream that would be of that mode by default, go on
    assertThat(over(cluster).create("plain", Json.object()).shards()).isEqualTo(1);
    assertThat(modeOfStream(cluster)).isEqualTo("null");
  }

  @Test
  void membersThatCannotReadTheDimensionsOfAnObjectGetNone() throws Exception {
    Speaking cluster = new Speaking(Formats.INDEX_MODES - 1);

    assertThatThrownBy(() -> over(cluster).create("i", DIMENSIONS))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("dimensions of passthrough objects need a cluster");

    assertThat(over(new Speaking(Formats.INDEX_MODES)).create("i", DIMENSIONS).shards())
        .isEqualTo(1);
  }

  @Test
  void areCompactOnceAllMembersReadSuchColumns() throws Exception {
    for (ObjectNode body : new ObjectNode[] {LOGS, SERIES}) {
      Speaking before = new Speaking(Formats.COMPACT_MODES - 1);
      Speaking after = new Speaking(Formats.COMPACT_MODES);
      assertThat(TimeSeries.isCompact(over(before).create("old", body).settings())).isFalse();
      IndexMetadata compact = over(after).create("new", body);
      assertThat(TimeSeries.isCompact(compact.settings())).isTrue();
      assertThatThrownBy(() -> IndexCreation.add(before.current(), compact))
          .hasMessageContaining("compact indices of [index.mode=");
      IndexMetadata plain = over(after).create("plain", Json.object());
      assertThat(TimeSeries.isCompact(plain.settings())).isFalse();
    }
  }

  @Test
  void whenAllKnowThemTheyAreMade() throws Exception {
    Speaking cluster = new Speaking(Formats.INDEX_MODES);

    assertThat(over(cluster).create("l", LOGS).settings()).containsEntry("index.mode", "logsdb");
    assertThat(over(cluster).create("t", SERIES).shards()).isEqualTo(1);
    assertThat(modeOfStream(cluster)).isEqualTo("logsdb");
  }
}
