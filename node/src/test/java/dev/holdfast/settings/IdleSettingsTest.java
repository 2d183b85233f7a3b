package dev.holdfast.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings that mean nothing beside others.
final class IdleSettingsTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "store.s3.endpoint, http://127.0.0.1:9000, memory:, memory",
    "store.s3.region, eu-west-1, gs://bucket, gs",
    "store.s3.path_style, true, az://container/prefix, az",
    "store.gcs.endpoint, http://127.0.0.1:4443, s3://bucket, s3",
    "store.azure.endpoint, https://a/b?sig=c, file:store, file",
    "store.azure.connection_string_file, a.txt, store, file"
  })
  void whatIsOfAnotherKindOfStoreIsTold(String name, String value, String store, String kind) {
    assertThat(idle(Map.of("store", store, name, value)))
        .containsExactly(
            "setting ["
                + name
                + "] is not for the store, which is of kind ["
                + kind
                + ":]: only repositories of snapshots read it");
  }

  @Test
  void whatIsOfTheStoreIsNot() {
    assertThat(idle(Map.of("store", "s3://a/b", "store.s3.endpoint", "http://a:1"))).isEmpty();
    assertThat(idle(Map.of("store", "GS://a", "store.gcs.endpoint", "http://a:1"))).isEmpty();
    assertThat(idle(Map.of("store", "az://a", "store.azure.connection_string", "a=b"))).isEmpty();
    assertThat(idle(Map.of("store", "memory:", "store.price.reads", "0.1"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "index, indices.queries.cache.size, 1mb, without the role [search]",
    "proxy, indices.requests.cache.size, 1mb, without the role [search]",
    "'index,proxy', indices.queries.cache.count, 9, without the role [search]",
    "proxy, cache.size, 1gb, without one of the roles [index] and [search]",
    "all, indices.fielddata.cache.size, 1mb, field data take no heap"
  })
  void whatIsOfAnotherRoleIsTold(String roles, String name, String value, String why) {
    List<String> told = idle(Map.of("roles", roles, name, value));

    assertThat(told).singleElement().asString().contains("[" + name + "] has no effect", why);
    if (!roles.equals("all")) {
      assertThat(idle(Map.of("roles", "all", name, value))).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http.cors.allow-methods, GET, without [http.cors.enabled: true]",
    "http.cors.allow-headers, a, without [http.cors.enabled: true]",
    "http.cors.expose-headers, a, without [http.cors.enabled: true]",
    "http.cors.max-age, 5, without [http.cors.enabled: true]",
    "http.cors.allow-credentials, true, without [http.cors.enabled: true]"
  })
  void whatNobodyReadsIsRefused(String name, String value, String why) {
    refused(Map.of(name, value), name, why);
  }

  @Test
  void ofTwoThatExcludeEachOtherOneIsRefused() {
    refused(
        Map.of("script.painless.regex.enabled", "false", "script.painless.regex.limit-factor", "9"),
        "script.painless.regex.limit-factor",
        "with [script.painless.regex.enabled: false]");
    refused(Map.of("scrub.rate", "0b", "scrub.every", "1d"), "scrub.every", "with [scrub.rate: 0]");
    refused(
        Map.of(
            "store", "az://a",
            "store.azure.connection_string", "a=b",
            "store.azure.connection_string_file", "a.txt"),
        "store.azure.connection_string",
        "beside [store.azure.connection_string_file]");
  }

  private void refused(Map<String, String> given, String name, String why) {
    assertThatThrownBy(() -> idle(given))
        .isInstanceOf(SettingsException.class)
        .hasMessage("setting [" + name + "] has no effect " + why);
  }

  private List<String> idle(Map<String, String> commandLine) {
    return SettingsReader.read(commandLine, Map.of(), null, folder).idle();
  }
}
