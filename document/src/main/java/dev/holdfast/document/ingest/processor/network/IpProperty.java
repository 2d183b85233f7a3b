package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.holdfast.document.ingest.IpDatabase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a database of networks may tell of an address.
public enum IpProperty {
  IP,
  NETWORK,
  CONTINENT_CODE("continent", "code"),
  CONTINENT_NAME("continent", "names", "en"),
  COUNTRY_ISO_CODE("country", "iso_code"),
  COUNTRY_NAME("country", "names", "en"),
  COUNTRY_IN_EUROPEAN_UNION("country", "is_in_european_union"),
  REGISTERED_COUNTRY_ISO_CODE("registered_country", "iso_code"),
  REGISTERED_COUNTRY_NAME("registered_country", "names", "en"),
  REGISTERED_COUNTRY_IN_EUROPEAN_UNION("registered_country", "is_in_european_union"),
  REGION_ISO_CODE,
  REGION_NAME,
  CITY_NAME("city", "names", "en"),
  TIMEZONE("location", "time_zone"),
  LOCATION,
  ACCURACY_RADIUS("location", "accuracy_radius"),
  POSTAL_CODE("postal", "code"),
  ASN("autonomous_system_number"),
  ORGANIZATION_NAME("autonomous_system_organization"),
  ISP("isp"),
  ISP_ORGANIZATION_NAME("organization"),
  MOBILE_COUNTRY_CODE("mobile_country_code"),
  MOBILE_NETWORK_CODE("mobile_network_code"),
  DOMAIN("domain"),
  CONNECTION_TYPE("connection_type"),
  HOSTING_PROVIDER("is_hosting_provider"),
  TOR_EXIT_NODE("is_tor_exit_node"),
  ANONYMOUS_VPN("is_anonymous_vpn"),
  ANONYMOUS("is_anonymous"),
  PUBLIC_PROXY("is_public_proxy"),
  RESIDENTIAL_PROXY("is_residential_proxy");

  private final ImmutableList<String> path;

  IpProperty(String... path) {
    this.path = ImmutableList.copyOf(path);
  }

  /// As documents and pipelines say it.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Writes what a record says of it, if it does.
  ///
  /// @param ip the address as the document has it
  void write(ObjectNode to, String ip, IpDatabase.Found found) {
    switch (this) {
      case IP -> to.put(label(), ip);
      case NETWORK -> put(to, found.network());
      case LOCATION -> {
        if (found.at("location", "latitude") instanceof Number latitude
            && found.at("location", "longitude") instanceof Number longitude) {
          to.putObject(label())
              .put("lat", latitude.doubleValue())
              .put("lon", longitude.doubleValue());
        }
      }
      case REGION_NAME -> put(to, region(found).at("names", "en"));
      case REGION_ISO_CODE -> {
        Object country = found.at("country", "iso_code");
        Object region = region(found).at("iso_code");
        put(to, country == null || region == null ? null : country + "-" + region);
      }
      case HOSTING_PROVIDER,
          TOR_EXIT_NODE,
          ANONYMOUS_VPN,
          ANONYMOUS,
          PUBLIC_PROXY,
          RESIDENTIAL_PROXY ->
          to.put(label(), Boolean.TRUE.equals(found.at(path.toArray(String[]::new))));
      default -> put(to, found.at(path.toArray(String[]::new)));
    }
  }

  /// The smallest part of a country that a record names.
  private static IpDatabase.Found region(IpDatabase.Found found) {
    return found.at("subdivisions") instanceof List<?> parts
            && !parts.isEmpty()
            && parts.getLast() instanceof Map<?, ?> last
        ? new IpDatabase.Found(last, null)
        : new IpDatabase.Found(Map.of(), null);
  }

  private void put(ObjectNode to, @Nullable Object value) {
    switch (value) {
      case null -> {}
      case Boolean flag -> to.put(label(), flag);
      case Number number -> to.put(label(), number.longValue());
      default -> to.put(label(), value.toString());
    }
  }
}
