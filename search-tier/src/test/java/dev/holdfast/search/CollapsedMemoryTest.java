package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The hits inside the hits of a collapsed search come one group after the other, and are all there
/// until it is answered.
final class CollapsedMemoryTest extends SearchTierFixture {
  private static final int GROUPS = 10;

  private int hits(Reservation memory) throws Exception {
    SearchSource source =
        SearchParser.parse(
            Json.parseObject(
                "{\"collapse\":{\"field\":\"k\",\"inner_hits\":{\"name\":\"all\",\"size\":10}}}"));
    return WorkMemory.<Integer, Exception>during(
        memory,
        () ->
            searches
                .searchShards(List.of(ShardTarget.of(zero.id)), source, () -> false)
                .hits()
                .size());
  }

  @Test
  void asMuchIsAskedForAsTheyHold() throws Exception {
    String text = "x".repeat(20_000);
    for (int i = 0; i < GROUPS; i++) {
      zero.add("d" + i, "{\"k\":\"k" + i + "\",\"t\":\"" + text + "\"}");
    }
    tier.commit(zero.upload());

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> assertThat(hits(Reservation.of(100_000))).isZero());

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    Reservation enough = Reservation.of(1 << 20);
    assertThat(hits(enough)).isEqualTo(GROUPS);
    assertThat(enough.bytes()).as("given back to whoever asks for the answer").isZero();
  }
}
