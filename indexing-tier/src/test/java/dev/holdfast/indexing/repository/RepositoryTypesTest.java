package dev.holdfast.indexing.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.repository.Repository;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Where repositories lie.
final class RepositoryTypesTest {
  private static RepositoryPlace place(String store, String type, Map<String, String> settings) {
    return RepositoryTypes.place(
        new Repository("r", type, new TreeMap<>(settings)),
        new RepositoryConfig(store, new TreeMap<>()));
  }

  @Test
  void theOwnBucketIsTheOwnStore() {
    assertThat(place("s3://b/p", "s3", Map.of("bucket", "b", "base_path", "/x/y/")))
        .isEqualTo(new RepositoryPlace("", "x~2fy"));
    assertThat(place("s3://b/p", "s3", Map.of("bucket", "b")).isOwn()).isTrue();
    assertThat(place("gs://b/p", "s3", Map.of("bucket", "b", "base_path", "x")))
        .isEqualTo(new RepositoryPlace("s3://b/x", ""));
    assertThat(place("s3://b/p", "gcs", Map.of("bucket", "b")))
        .isEqualTo(RepositoryPlace.at("gs://b"));
    assertThat(place("az://b", "azure", Map.of("container", "c", "base_path", "x")))
        .isEqualTo(RepositoryPlace.at("az://c/x"));
  }

  @Test
  void withoutSharedFoldersALocationIsANameInTheOwnStore() {
    assertThat(place("s3://b/p", "fs", Map.of("location", "a/../c d")))
        .isEqualTo(new RepositoryPlace("", "c~20d"));
    assertThat(place("memory:", "fs", Map.of("location", ".")).isOwn()).isTrue();
  }

  @Test
  void everyNameIsASegmentOfItsOwn() {
    for (String name : new String[] {"a", "..", "~", "~2e", "ä ö", "x/y", "2026.11.23", "日本"}) {
      String segment = ObjectName.of(name);
      assertThat(segment).matches("[A-Za-z0-9_~-]+");
      assertThat(ObjectName.name(segment)).isEqualTo(name);
    }
  }
}
