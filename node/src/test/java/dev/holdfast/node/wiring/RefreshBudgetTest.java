package dev.holdfast.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Where clients may refresh as they like.
final class RefreshBudgetTest {
  private static final Map<String, String> FREE =
      Map.of("store.price.writes", "0", "store.price.reads", "0", "store.price.deletes", "0");

  @TempDir private Path folder = Path.of("");

  private boolean hasBudget(Map<String, String> given) throws Exception {
    NodeSettings settings = SettingsReader.read(given, Map.of(), null, folder);
    return TierWiring.lifeConfig(settings).manualRefreshes() != null;
  }

  @ParameterizedTest
  @CsvSource({
    "serverless,s3://bucket,true",
    "serverless,file:store,false",
    "default,s3://bucket,false",
    "default,file:store,false"
  })
  void refreshesHaveABudgetWhereTheyCost(String flavor, String store, boolean expected)
      throws Exception {
    assertThat(hasBudget(Map.of("flavor", flavor, "store", store))).isEqualTo(expected);
  }

  @Test
  void aBucketThatChargesNothingHasNone() throws Exception {
    Map<String, String> given = new HashMap<>(FREE);
    given.put("store", "s3://bucket");
    assertThat(hasBudget(given)).isFalse();
  }
}
