package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.real.RealWorld;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class IndexOwnersTest {
  private static final IndexId BACKING = new IndexId(".ds-logs-000001", "uuid");

  private final AtomicReference<ClusterState> state =
      new AtomicReference<>(ClusterState.empty("cluster"));
  private final Metadata metadata =
      new Metadata() {
        @Override
        public ClusterState current() {
          return state.get();
        }

        @Override
        public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
          return state.updateAndGet(change);
        }

        @Override
        public void listen(Listener listener) {
          throw new UnsupportedOperationException();
        }
      };

  @Test
  void areLookedForOnceInAState() throws Exception {
    IndexOwners owners = new IndexOwners(metadata, RealWorld.create().clock());
    assertThat(owners.of(BACKING)).isNull();

    ClusterState _ =
        metadata.update(
            "a stream",
            before ->
                DataStreams.with(
                    before,
                    DataStream.empty("logs", false, false)
                        .rolledOver(Component.DATA, BACKING.name())));

    DataStream found = owners.of(BACKING);
    assertThat(found).isNotNull().extracting(DataStream::name).isEqualTo("logs");
    assertThat(owners.of(BACKING)).isSameAs(found);
    assertThat(owners.of(new IndexId("books", "other"))).isNull();
  }
}
