package dev.holdfast.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.cost.StorageClassPolicy.Verdict;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which blobs a cheaper class is worth, and which settings are refused.
final class StorageClassPolicyTest {
  private static final long NOW = Duration.ofDays(1000).toMillis();
  private static final long LARGE = 100_000_000;

  private static ClusterState state(Map<String, Object> settings) {
    return ClusterState.empty("cluster").withSettings(new TreeMap<>(settings));
  }

  private static StorageClassPolicy policy(String after) {
    ClusterState state =
        state(Map.of(StorageClassPolicy.SETTING, "standard_ia", StorageClassPolicy.AFTER, after));
    return StorageClassPolicy.of(state, StorePrices.S3_STANDARD).orElseThrow();
  }

  private static Listed blob(long bytes, int days, String storageClass) {
    return new Listed("shards/a", bytes, NOW - Duration.ofDays(days).toMillis(), storageClass);
  }

  private static Verdict judge(StorageClassPolicy policy, Listed blob) {
    return policy.judge(blob, NOW, OptionalLong.empty(), 0);
  }

  private static OptionalLong in(int days) {
    return OptionalLong.of(NOW + Duration.ofDays(days).toMillis());
  }

  @Test
  void largeBlobsThatAreOldAndRestAreMovedOnce() {
    StorageClassPolicy policy = policy("30d");
    assertThat(judge(policy, blob(LARGE, 31, "STANDARD"))).isEqualTo(Verdict.MOVE);
    assertThat(judge(policy, blob(LARGE, 31, ""))).isEqualTo(Verdict.MOVE);
    assertThat(judge(policy, blob(LARGE, 29, "STANDARD"))).isEqualTo(Verdict.YOUNG);
    for (String other : List.of("STANDARD_IA", "GLACIER_IR", "GLACIER", "INTELLIGENT_TIERING")) {
      assertThat(judge(policy, blob(LARGE, 400, other))).isEqualTo(Verdict.IN_ANOTHER_CLASS);
    }
  }

  @Test
  void nothingIsMovedBeforeTheMinimumIsWorthIt() {
    StorageClassPolicy policy = policy("1d");
    assertThat(judge(policy, blob(LARGE, 16, "STANDARD"))).isEqualTo(Verdict.NOT_WORTH_A_MOVE);
    assertThat(judge(policy, blob(LARGE, 17, "STANDARD"))).isEqualTo(Verdict.MOVE);
    assertThat(judge(policy, blob(100_000, 40, "STANDARD"))).isEqualTo(Verdict.NOT_WORTH_A_MOVE);
  }

  @Test
  void whatWillBeDeletedSoonStays() {
    StorageClassPolicy policy = policy("30d");
    Listed blob = blob(LARGE, 60, "STANDARD");
    assertThat(policy.judge(blob, NOW, in(16), 0)).isEqualTo(Verdict.DELETED_SOON);
    assertThat(policy.judge(blob, NOW, in(-3), 0)).isEqualTo(Verdict.DELETED_SOON);
    assertThat(policy.judge(blob, NOW, in(17), 0)).isEqualTo(Verdict.MOVE);
  }

  @Test
  void whatIsReadOftenStays() {
    StorageClassPolicy policy = policy("30d");
    Listed blob = blob(LARGE, 60, "STANDARD");
    assertThat(policy.judge(blob, NOW, OptionalLong.empty(), 1.0)).isEqualTo(Verdict.MOVE);
    assertThat(policy.judge(blob, NOW, OptionalLong.empty(), 1.1)).isEqualTo(Verdict.READ_OFTEN);
  }

  @Test
  void whatTheStoreDoesNotHaveOrSavesNothingIsRefused() {
    refuse("GLACIER", StorePrices.S3_STANDARD, "must be one of [STANDARD_IA, GLACIER_IR]");
    refuse("NEARLINE", StorePrices.S3_STANDARD, "must be one of [STANDARD_IA, GLACIER_IR]");
    refuse("STANDARD_IA", StorePrices.FREE, "this store has no storage classes");
    StorePrices cheap = StorePrices.of("s3://bucket", Map.of(StorePrices.KEPT, "0.006"));
    refuse("STANDARD_IA", cheap, "saves nothing");
    assertThatThrownBy(() ->
            StorageClassPolicy.check(
                state(Map.of(StorageClassPolicy.AFTER, "23h")), StorePrices.S3_STANDARD))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("must be >= 1d");
    StorageClassPolicy.check(
        state(Map.of(StorageClassPolicy.SETTING, "glacier_ir")), StorePrices.S3_STANDARD);
    StorageClassPolicy.check(state(Map.of()), StorePrices.FREE);
    assertThat(StorageClassPolicy.of(state(Map.of()), StorePrices.S3_STANDARD)).isEmpty();
    assertThat(
            StorageClassPolicy.of(
                state(Map.of(StorageClassPolicy.SETTING, "Cool")), StorePrices.S3_STANDARD))
        .as("named while the store was another")
        .isEmpty();
  }

  private static void refuse(String named, StorePrices prices, String why) {
    assertThatThrownBy(() ->
            StorageClassPolicy.check(state(Map.of(StorageClassPolicy.SETTING, named)), prices))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(why);
  }
}
