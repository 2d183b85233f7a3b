package dev.holdfast.api.ingest.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `geoip` and `ip_location` with databases that lie in the store.
final class IpDatabasesTest {
  private static final Map<String, Object> BASEL =
      Map.of(
          "city", Map.of("names", Map.of("en", "Basel", "fr", "Bâle")),
          "continent", Map.of("code", "EU", "names", Map.of("en", "Europe")),
          "country", Map.of("iso_code", "CH", "names", Map.of("en", "Switzerland")),
          "location", Map.of("latitude", 47.5, "longitude", 7.5, "time_zone", "Europe/Zurich"),
          "subdivisions",
              List.of(
                  Map.of("iso_code", "XX", "names", Map.of("en", "North")),
                  Map.of("iso_code", "BS", "names", Map.of("en", "Basel-City"))));

  @TempDir Path folder;

  private void put(String name, byte[] file) throws Exception {
    Path to = folder.resolve("store").resolve("ip-databases");
    Files.createDirectories(to);
    Files.write(to.resolve(name), file);
  }

  private static JsonNode simulated(NodeFixture node, String processor, String source)
      throws Exception {
    String body =
        "{\"pipeline\":{\"processors\":[%s]},\"docs\":[{\"_source\":%s}]}"
            .formatted(processor, source);
    return node.ok("POST", "/_ingest/pipeline/_simulate", body).at("/docs/0");
  }

  @Test
  void aCityIsToldOfAnAddress() throws Exception {
    put("GeoLite2-City.mmdb", MmdbFile.of("GeoLite2-City", Map.of("10.1.0.0/16", BASEL)));
    try (NodeFixture node = new NodeFixture(folder)) {
      String geoip = "{\"geoip\":{\"field\":\"ip\"%s}}";
      JsonNode told = simulated(node, geoip.formatted(""), "{\"ip\":\"10.1.2.3\"}");
      assertThat(told.at("/doc/_source/geoip"))
          .isEqualTo(
              Json.parse(
                  """
                  {"continent_name":"Europe","country_name":"Switzerland","country_iso_code":"CH",
                   "region_iso_code":"CH-BS","region_name":"Basel-City","city_name":"Basel",
                   "location":{"lat":47.5,"lon":7.5}}\
                  """));
      String some = ",\"target_field\":\"t\",\"properties\":[\"ip\",\"TIMEZONE\"]";
      assertThat(
              simulated(node, geoip.formatted(some), "{\"ip\":[\"9.9.9.9\",\"10.1.0.1\"]}")
                  .at("/doc/_source/t")
                  .toString())
          .isEqualTo("{\"ip\":\"10.1.0.1\",\"timezone\":\"Europe/Zurich\"}");
      String all = ",\"first_only\":false,\"properties\":[\"city_name\"]";
      assertThat(
              simulated(node, geoip.formatted(all), "{\"ip\":[\"9.9.9.9\",\"10.1.0.1\"]}")
                  .at("/doc/_source/geoip")
                  .toString())
          .isEqualTo("[null,{\"city_name\":\"Basel\"}]");
      for (String nowhere : List.of("9.9.9.9", "2001:db8::1")) {
        assertThat(
                simulated(node, geoip.formatted(""), "{\"ip\":\"" + nowhere + "\"}")
                    .at("/doc/_source")
                    .has("geoip"))
            .isFalse();
      }
      assertThat(
              simulated(node, geoip.formatted(""), "{\"ip\":\"x\"}").at("/error/reason").asText())
          .isEqualTo("'x' is not an IP string literal.");
      String wrong = "{\"processors\":[{\"geoip\":{\"field\":\"ip\",\"properties\":[\"%s\"]}}]}";
      for (String property : List.of("banana", "asn")) {
        assertThat(node.call("PUT", "/_ingest/pipeline/p", wrong.formatted(property)).body())
            .contains("illegal property value [" + property + "]");
      }
    }
  }

  @Test
  void networksAndTheirOwners() throws Exception {
    put(
        "asn.mmdb",
        MmdbFile.of(
            "GeoLite2-ASN",
            Map.of(
                "10.0.0.0/9",
                Map.of(
                    "autonomous_system_number",
                    64512,
                    "autonomous_system_organization",
                    "Example"))));
    put("broken.mmdb", new byte[100]);
    put("odd.mmdb", MmdbFile.of("Odd", Map.of("10.0.0.0/9", Map.of("a", "b"))));
    try (NodeFixture node = new NodeFixture(folder)) {
      String processor = "{\"ip_location\":{\"field\":\"ip\",\"database_file\":\"%s.mmdb\"}}";
      String source = "{\"ip\":\"10.1.2.3\"}";
      assertThat(
              simulated(node, processor.formatted("asn"), source)
                  .at("/doc/_source/ip_location")
                  .toString())
          .isEqualTo(
              "{\"ip\":\"10.1.2.3\",\"network\":\"10.0.0.0/9\",\"asn\":64512,\"organization_name\":\"Example\"}");
      assertThat(
              simulated(node, processor.formatted("gone"), source)
                  .at("/doc/_source/tags/0")
                  .asText())
          .isEqualTo("_ip_location_database_unavailable_gone.mmdb");
      assertThat(
              simulated(node, processor.formatted("broken"), source).at("/error/reason").asText())
          .contains("no database of the format MMDB");
      assertThat(simulated(node, processor.formatted("odd"), source).at("/error/reason").asText())
          .isEqualTo("Unsupported database type [Odd] for file [odd.mmdb]");

      JsonNode known = node.ok("GET", "/_ingest/ip_location/database", "").path("databases");
      assertThat(known).hasSize(3);
      assertThat(known.at("/0/database/name").asText()).isEqualTo("asn");
      assertThat(known.at("/0/database/local/type").asText()).isEqualTo("GeoLite2-ASN");
      String id = known.at("/0/id").asText();
      assertThat(node.ok("GET", "/_ingest/geoip/database/" + id, "").path("databases")).hasSize(1);
      assertThat(node.ok("GET", "/_ingest/geoip/stats", "").at("/nodes").findValuesAsText("name"))
          .contains("asn.mmdb");
    }
  }

  @Test
  void nothingIsDownloaded() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String path = "/_ingest/geoip/database/a";
      String body = "{\"name\":\"GeoIP2-City\",\"maxmind\":{\"account_id\":\"1\"}}";
      assertThat(node.call("PUT", path, body).body()).contains("databases are not downloaded");
      assertThat(node.call("GET", path, "").statusCode()).isEqualTo(404);
      assertThat(node.call("DELETE", path, "").statusCode()).isEqualTo(404);
      assertThat(node.ok("GET", "/_ingest/geoip/database", "").path("databases")).isEmpty();
    }
  }
}
