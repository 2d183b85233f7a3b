package dev.holdfast.api.ingest.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.ingest.IpDatabase;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Databases in a store that is elsewhere.
final class StoredIpDatabasesTest {
  private static final String KEY = StoredIpDatabases.PREFIX + "a.mmdb";
  private static final byte[] ADDRESS = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 0, 0, 1};

  private final MemoryStore store = new MemoryStore();
  private final TurnedClock clock = new TurnedClock();

  private static final class TurnedClock implements Clock {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return nanos / 1_000_000;
    }

    void turnMinute() {
      nanos += 60_000_000_001L;
    }
  }

  private void put(byte[] bytes) throws Exception {
    var _ = store.put(KEY, ObjectBody.of(bytes));
  }

  private static byte[] file(String domain) {
    return MmdbFile.of("GeoIP2-Domain", Map.of("10.0.0.0/8", Map.of("domain", domain)));
  }

  private static String domain(StoredIpDatabases databases) {
    IpDatabase found = Objects.requireNonNull(databases.find("a.mmdb"));
    return String.valueOf(found.find(ADDRESS).at("domain"));
  }

  @Test
  void areCopiedOpenedAnewWhenTheyChangeAndGoneWhenTheyAreDeleted(@TempDir Path folder)
      throws Exception {
    StoredIpDatabases databases = new StoredIpDatabases(store, clock, folder.resolve("ip"));
    assertThat(databases.find("a.mmdb")).isNull();
    put(file("one.example"));
    assertThat(databases.find("a.mmdb")).as("looked at once a minute").isNull();
    clock.turnMinute();
    assertThat(domain(databases)).isEqualTo("one.example");
    put(file("another.example"));
    assertThat(domain(databases)).isEqualTo("one.example");
    clock.turnMinute();
    assertThat(domain(databases)).isEqualTo("another.example");
    put(new byte[] {1, 2, 3});
    clock.turnMinute();
    assertThat(domain(databases)).as("what cannot be opened").isEqualTo("another.example");
    try (Stream<Path> left = Files.list(folder.resolve("ip"))) {
      assertThat(left).isEmpty();
    }
    store.deleteAll(List.of(KEY));
    clock.turnMinute();
    assertThat(databases.find("a.mmdb")).isNull();
  }

  @Test
  void whatIsNoDatabaseIsSaidToWhoeverUsesIt(@TempDir Path folder) throws Exception {
    put(new byte[1000]);
    StoredIpDatabases databases = new StoredIpDatabases(store, clock, folder);
    IpDatabase found = Objects.requireNonNull(databases.find("a.mmdb"));
    assertThatThrownBy(() -> found.find(ADDRESS))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no database of the format MMDB");
  }
}
