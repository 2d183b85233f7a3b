package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.settings.SettingsReader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether whom to trust is read before anybody asks.
final class TlsPreparationTest {
  @TempDir Path folder;

  @Test
  void onlyStoresThatAreEncryptedNeedCertificates() {
    assertThat(isEncrypted(Map.of())).isFalse();
    assertThat(isEncrypted(Map.of("store", "memory:"))).isFalse();
    assertThat(isEncrypted(Map.of("store", "s3://bucket/a"))).isTrue();
    assertThat(isEncrypted(Map.of("store", "gs://bucket/a"))).isTrue();
    assertThat(isEncrypted(Map.of("store", "az://container/a"))).isTrue();
    String endpoint = "store.s3.endpoint";
    assertThat(isEncrypted(Map.of("store", "s3://bucket/a", endpoint, "https://minio:9000")))
        .isTrue();
    assertThat(isEncrypted(Map.of("store", "s3://bucket/a", endpoint, "http://minio:9000")))
        .isFalse();
  }

  private boolean isEncrypted(Map<String, String> given) {
    return TlsPreparation.isEncrypted(SettingsReader.read(given, Map.of(), null, folder));
  }
}
