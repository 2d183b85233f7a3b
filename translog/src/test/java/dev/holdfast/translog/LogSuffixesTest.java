package dev.holdfast.translog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.count.Counting;
import dev.holdfast.objectstore.count.StoreCounters;
import dev.holdfast.objectstore.count.StorePrices;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What shards that recover together read of one log.
class LogSuffixesTest {
  private final StoreCounters counters = new StoreCounters(StorePrices.FREE);
  private final Counting store = new Counting(new MemoryStore(), Purpose.TRANSLOG, counters);
  private final LogSuffixes suffixes = new LogSuffixes(store);

  @BeforeEach
  void oneFile() throws Exception {
    var _ = store.putIfAbsent("log/a/0", ObjectBody.of("a file".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void shardsThatRecoverTogetherReadAFileOnce() throws Exception {
    suffixes.begin();
    suffixes.begin();
    var first = suffixes.get("log/a/0");
    suffixes.end();
    var second = suffixes.get("log/a/0");
    suffixes.end();

    assertThat(second).isSameAs(first);
    assertThat(counters.requests(RequestKind.GET)).isEqualTo(1);
  }

  @Test
  void nothingIsKeptWhenNoShardRecovers() throws Exception {
    suffixes.begin();
    var _ = suffixes.get("log/a/0");
    suffixes.end();
    suffixes.begin();
    var _ = suffixes.get("log/a/0");
    suffixes.end();

    assertThat(counters.requests(RequestKind.GET)).isEqualTo(2);
  }
}
