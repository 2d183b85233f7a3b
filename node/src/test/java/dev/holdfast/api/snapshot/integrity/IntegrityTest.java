package dev.holdfast.api.snapshot.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories whose blobs are gone or damaged.
final class IntegrityTest {
  private static final String VERIFY = "/_snapshot/r/_verify_integrity";

  private static List<Path> files(Path folder) throws Exception {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void snapshots(NodeFixture node, String location) throws Exception {
    node.ok(
        "PUT",
        "/_snapshot/r",
        "{\"type\":\"fs\",\"settings\":{\"location\":\"" + location + "\"}}");
    node.fill("a", 20);
    node.fill("b", 5);
    node.ok("PUT", "/_snapshot/r/one?wait_for_completion=true", "");
    node.ok("PUT", "/_snapshot/r/two?wait_for_completion=true", "{\"indices\":\"a\"}");
  }

  @Test
  void whatIsWholePassesAndWhatIsMissingOrDamagedIsTold(@TempDir Path folder) throws Exception {
    Path other = Files.createDirectories(folder.resolve("other"));
    try (NodeFixture node =
        new NodeFixture(folder.resolve("node"), Map.of("path.repo", other.toString()))) {
      snapshots(node, other.toString());
      // given a repository that is whole
      JsonNode whole = node.ok("POST", VERIFY + "?verify_blob_contents=true&human", "");
      assertThat(whole.at("/results/result").asText()).as(whole.toString()).isEqualTo("pass");
      assertThat(whole.at("/results/status/snapshots").toString())
          .isEqualTo("{\"verified\":2,\"total\":2}");
      assertThat(whole.at("/results/status/index_snapshots/total").asInt()).isEqualTo(3);
      assertThat(whole.at("/results/status/blobs/verified").asInt()).isGreaterThanOrEqualTo(2);
      assertThat(whole.at("/log/0/snapshot_restorability/restorability").asText())
          .isEqualTo("full");
      // when a bit of a blob changes
      Path blob =
          files(other).stream()
              .filter(one -> one.toString().contains("blobs"))
              .findFirst()
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(blob);
      bytes[bytes.length / 3] ^= 1;
      Files.write(blob, bytes);
      // then whoever reads it sees it
      assertThat(node.ok("POST", VERIFY, "").at("/results/result").asText()).isEqualTo("pass");
      JsonNode read =
          node.ok("POST", VERIFY + "?verify_blob_contents=true&max_bytes_per_sec=100mb", "");
      assertThat(read.at("/results/result").asText()).as(read.toString()).isEqualTo("fail");
      assertThat(read.at("/log/0/anomaly").asText()).contains("is damaged");
      // and when it is gone, whoever lists sees it
      Files.delete(blob);
      JsonNode gone = node.ok("POST", VERIFY, "");
      assertThat(gone.at("/results/total_anomalies").asInt()).as(gone.toString()).isPositive();
      assertThat(gone.at("/log/0/anomaly").asText()).contains("is missing");
      assertThat(gone.findValuesAsText("restorability")).contains("none");
      // and a snapshot that cannot be read
      Path manifest =
          files(other).stream()
              .filter(one -> one.toString().contains("snapshots"))
              .findFirst()
              .orElseThrow();
      Files.write(manifest, new byte[100]);
      assertThat(node.ok("POST", VERIFY, "").findValuesAsText("anomaly"))
          .contains("snapshot cannot be read");
    }
  }

  @Test
  void theOwnStoreIsLookedThroughToo(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      snapshots(node, "r");
      JsonNode whole = node.ok("POST", VERIFY + "?verify_blob_contents=true", "");
      assertThat(whole.at("/results/result").asText()).as(whole.toString()).isEqualTo("pass");
      assertThat(whole.at("/results/status/blobs/verified").asInt()).isGreaterThanOrEqualTo(2);
      assertThat(node.call("POST", "/_snapshot/none/_verify_integrity", "").statusCode())
          .isEqualTo(404);
      for (String bad :
          new String[] {
            "max_bytes_per_sec=0b", "max_bytes_per_sec=x", "max_failed_shard_snapshots=-1"
          }) {
        assertThat(node.call("POST", VERIFY + "?" + bad, "").statusCode()).as(bad).isEqualTo(400);
      }
    }
  }
}
