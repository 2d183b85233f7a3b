package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.Ids;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.real.RealWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterSecretTest {
  private final MemoryStore store = new MemoryStore();
  private final Ids ids = RealWorld.create().ids();

  @Test
  void allProcessesHaveTheSame() throws Exception {
    byte[] secret = ClusterSecret.read(store, ids);

    assertThat(secret).hasSizeGreaterThan(40);
    assertThat(ClusterSecret.read(store, ids)).isEqualTo(secret);
  }

  @Test
  void oneThatIsDeletedOrDamagedIsMadeAgain() throws Exception {
    byte[] first = ClusterSecret.read(store, ids);
    store.deleteAll(List.of(ClusterSecret.KEY));
    byte[] second = ClusterSecret.read(store, ids);
    store.put(ClusterSecret.KEY, ObjectBody.of(new byte[] {1, 2, 3}));
    byte[] third = ClusterSecret.read(store, ids);

    assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
    assertThat(third).hasSameSizeAs(first);
    assertThat(ClusterSecret.read(store, ids)).isEqualTo(third);
  }

  @Test
  void oneOfANewerBuildStays() throws Exception {
    byte[] newer = ChecksummedBytes.seal("HFKY", 99, new byte[10]);
    store.put(ClusterSecret.KEY, ObjectBody.of(newer));

    assertThatThrownBy(() -> ClusterSecret.read(store, ids))
        .isInstanceOf(NewerFormatException.class);
    assertThat(store.get(ClusterSecret.KEY).orElseThrow().bytes()).isEqualTo(newer);
  }
}
